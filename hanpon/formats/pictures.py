"""Images, told by their names."""

from pathlib import PurePosixPath

_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico", ".avif"})


def is_picture(file: str) -> bool:
    """Whether a file is an image, and no document of its own where a pattern such as `docs/**/*` meets it.

    Which images a page may show is told by their bytes.
    """
    return PurePosixPath(file).suffix.lower() in _ENDINGS
