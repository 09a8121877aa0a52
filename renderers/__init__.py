"""From sources to documents: one module for each kind of page, and the parts that pages share. Pure."""
