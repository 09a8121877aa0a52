"""Who may see which file: access files into grants."""
