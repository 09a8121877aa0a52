"""Which Markdown a file is written in: what its item says, else what an `mkdocs.yml` near it says."""

import re
from pathlib import PurePosixPath

from hanpon.contracts.bundle import Dialect
from hanpon.contracts.errors import Missing
from hanpon.sources.texts.inputs import Inputs

_SETTINGS = ("mkdocs.yml", "mkdocs.yaml")
_LARGEST = 1_000_000
_DOCS_DIR = re.compile(r"^docs_dir[ \t]*:[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^\n#]*)", re.MULTILINE)


def dialect_of(file: str, said: Dialect, inputs: Inputs) -> Dialect:
    """The dialect of a Markdown file.

    `mkdocs` where an `mkdocs.yml` stands in the file's folder, or in one above whose `docs_dir` holds the file.
    """
    if said:
        return said
    folder = PurePosixPath(file).parent
    for above in (folder, *folder.parents):
        for name in _SETTINGS:
            path = str(above / name)
            if inputs.exists(path) and (above == folder or _holds(path, file, inputs)):
                return "mkdocs"
    return "gfm"


def _holds(settings: str, file: str, inputs: Inputs) -> bool:
    """Whether a site's settings name a folder of texts that holds the file.

    One line is looked for: such a file may hold tags that stand for code, and is no YAML to anyone else.
    """
    if (inputs.size(settings) or 0) > _LARGEST:
        return False
    try:
        text = inputs.read(settings).decode("utf-8", "replace")
    except Missing:
        return False
    found = _DOCS_DIR.search(text)
    docs = found[1].strip().strip("\"'") if found else "docs"
    below = PurePosixPath(settings).parent / (docs or "docs")
    return below in PurePosixPath(file).parents
