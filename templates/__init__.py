"""All markup of the pages, as Jinja2 templates; a package so that they are installed with the code."""
