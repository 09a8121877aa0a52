"""The rules that findings refer to. Pure."""
