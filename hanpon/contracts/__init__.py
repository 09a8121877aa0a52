"""The nouns that flow through hanpon and the ports it speaks through; frozen values, no I/O."""
