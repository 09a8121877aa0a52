"""OpenAPI 2.0 to 3.2 into one model."""
