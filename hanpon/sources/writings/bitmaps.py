"""Bitmaps: told by their first bytes, whatever their names say."""

from hanpon.contracts.writings import Image

LARGEST = 10 * 1024 * 1024
"""Bytes of an image that a page may show."""

_MARKS = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF87a", "image/gif", "gif"),
    (b"GIF89a", "image/gif", "gif"),
)


def bitmap(data: bytes) -> Image | None:
    """The image that bytes are; None where they are none of PNG, JPEG, GIF and WebP."""
    for mark, media_type, extension in _MARKS:
        if data.startswith(mark):
            return Image(data=data, media_type=media_type, extension=extension)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return Image(data=data, media_type="image/webp", extension="webp")
    return None
