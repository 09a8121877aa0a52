"""Images, told by their names."""

from pathlib import PurePosixPath

_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico", ".avif"})


def is_picture(file: str) -> bool:
    """Whether a file is an image that pages may show.

    A pattern such as `docs/**/*` meets them beside the texts; they are no documents of their own.
    """
    return PurePosixPath(file).suffix.lower() in _ENDINGS
