"""hanpon.yaml: read, checked against its schema and the tree, and made into items."""
