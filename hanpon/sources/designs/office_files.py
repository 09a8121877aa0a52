"""PDF, DOCX, PPTX and XLSX as designs: published byte for byte, looked into to tell what search will not find."""

from collections.abc import Iterator, Sequence

from hanpon.contracts.designs import OfficeFile
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.formats.office_text import MEDIA_TYPES, NotReadable, OfficeText, limit_of, office_text
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.mention_places import mention_findings
from hanpon.sources.texts.text_problems import problem

_REFUSED = {
    "other-type": ("file-not-what-it-says", "save it as what its name says, or rename it"),
    "damaged": ("file-damaged", "save it anew"),
    "too-large": ("too-large", "make it smaller, or divide it"),
}
"""By trouble: nobody could use such a file, or it would harm who opens it. Rule and advice."""


def read_office(
    file: str, extension: str, inputs: Inputs, version: str, names: Sequence[str]
) -> tuple[OfficeFile | None, tuple[Finding, ...]]:
    """A file as it is, or None where it cannot be published, with what is to be said of it.

    `version` and `names` are what its text may speak of. Raises Missing and Unavailable as the bundle's tree does.
    """
    size = inputs.size(file) or 0
    if size > limit_of(extension):
        reason = f"it has {size:,} bytes; at most {limit_of(extension):,} are read"
        return None, (_refusal(file, NotReadable("too-large", reason)),)
    data = inputs.read(file)
    try:
        text = office_text(data, extension)
    except NotReadable as refused:
        if refused.trouble in _REFUSED:
            return None, (_refusal(file, refused),)
        return _as_it_is(data, extension, ""), (_without_text(file, refused.reason),)
    findings = (*_said_of(file, text), *_mentions(file, text, version, names))
    return _as_it_is(data, extension, text.title), findings


def _as_it_is(data: bytes, extension: str, title: str) -> OfficeFile:
    return OfficeFile(data=data, media_type=MEDIA_TYPES[extension], extension=extension, title=title)


def _refusal(file: str, refused: NotReadable) -> Finding:
    rule, advice = _REFUSED[refused.trouble]
    return problem(rule, Place(file), f"The file is not published, because {refused.reason}; {advice}.")


def _without_text(file: str, reason: str) -> Finding:
    message = f"The file is published, but search finds it by its title alone, because {reason}."
    return Finding("text-not-extracted", Severity.WARNING, Place(file), message)


def _said_of(file: str, text: OfficeText) -> Iterator[Finding]:
    if not text.sections:
        yield _without_text(file, "no text is in it, as in a file of scanned pages or pictures")
    if text.lost:
        message = f"Not all text of the file is found by search: {_several(text.lost)}."
        yield Finding("text-not-extracted", Severity.WARNING, Place(file), message)
    if text.hidden:
        message = f"Search leaves out what a reader of the file does not see: {_several(text.hidden)}."
        yield Finding("hidden-text", Severity.INFO, Place(file), message)


_MOST = 5


def _several(reasons: Sequence[str]) -> str:
    """Reasons in their order, equal ones once."""
    unique = list(dict.fromkeys(reasons))
    more = f"; and {len(unique) - _MOST} more" if len(unique) > _MOST else ""
    return "; ".join(unique[:_MOST]) + more


def _mentions(file: str, text: OfficeText, version: str, names: Sequence[str]) -> Iterator[Finding]:
    """One warning a file, without words of it: findings are seen by more people than a design is."""
    whole = "\n".join(f"{section.title}\n{section.text}" for section in text.sections)
    return mention_findings(Place(file), whole, version, names, is_quoted=False)
