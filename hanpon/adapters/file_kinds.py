"""What stands at a path, in words, where something else is expected there."""

# Paths are plain strings, as in `file_storage`.
# ruff: noqa: PTH116, PTH120

import os
import stat

_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind_of(mode: int) -> str:
    """What a mode of `os.stat` is the mode of: `a file`, `a named pipe`."""
    return _KINDS.get(stat.S_IFMT(mode), "neither file nor folder")


def odd_kind(path: str) -> str:
    """What stands at a path, links followed, where it is something but a file; "" for a file or nothing.

    Raises OSError where it cannot be told.
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return "" if stat.S_ISREG(mode) else kind_of(mode)


def in_the_way(path: str) -> str:
    """What keeps a file from standing at a path, as a clause: `X is a file, where a folder is expected`.

    "" where no other thing stands at the path, nor where the folders above it should be.
    """
    expected, fits = "file", stat.S_ISREG
    while path != os.path.dirname(path):
        try:
            mode = os.stat(path).st_mode
        except OSError:
            pass  # nothing there, or what stands in its way is above
        else:
            return "" if fits(mode) else f"{path} is {kind_of(mode)}, where a {expected} is expected"
        path, expected, fits = os.path.dirname(path), "folder", stat.S_ISDIR
    return ""
