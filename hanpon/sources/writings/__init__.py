"""READMEs, guidelines and other texts for people: from files of the bundle to writings."""
