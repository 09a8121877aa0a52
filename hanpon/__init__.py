"""hanpon prints what is known about a released version into documents and publishes them whole."""
