"""READMEs and guidelines read: files of Markdown, HTML or plain text as writings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hanpon.contracts.access import Access
from hanpon.contracts.bundle import ApiItem, ComponentItem, Dialect, FilesItem
from hanpon.contracts.errors import InvalidInput
from hanpon.contracts.findings import Finding, Place, Severity, in_order
from hanpon.contracts.writings import GuidelineSource, Image, ReadmeSource, Writing
from hanpon.formats.pictures import is_picture
from hanpon.sources.access.entries import not_granted
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.structured_text import refuse_too_large
from hanpon.sources.texts.text_encoding import decode
from hanpon.sources.texts.text_problems import problem
from hanpon.sources.writings.addresses import Refusal, Surroundings
from hanpon.sources.writings.bitmaps import LARGEST, bitmap
from hanpon.sources.writings.cutting import cuts_of
from hanpon.sources.writings.footnotes import move_footnotes
from hanpon.sources.writings.lines import line_finder
from hanpon.sources.writings.places import named_by_github, named_by_themselves
from hanpon.sources.writings.readable import FORMS, Readable, form_of, readable
from hanpon.sources.writings.resolving import Resolving
from hanpon.sources.writings.sections import section_of
from hanpon.sources.writings.tally import Tally
from hanpon.sources.writings.text_tree import MOST_ELEMENTS, TooManyElements, tree_of
from hanpon.sources.writings.tidying import (
    drop_attribute_lists,
    drop_returns_to_nowhere,
    drop_self_links,
    shorten_runs_of_breaks,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A writing, what is to be said of it, and what became of its links and images."""

    writing: Writing
    findings: tuple[Finding, ...]
    tally: Tally


def read_readmes(item: ApiItem | ComponentItem, inputs: Inputs) -> ReadmeSource:
    """The READMEs of an item, in order of their paths, and what is wrong with those that cannot be read.

    Raises Missing and Unavailable as the bundle's tree does.
    """
    writings, findings = _all_of(item.readme, item, inputs)
    return ReadmeSource(item=item, writings=writings, findings=in_order(findings))


def read_guideline(item: FilesItem, access: Access, inputs: Inputs) -> GuidelineSource:
    """The files of a guideline that somebody may read, in order of their paths.

    A file that nobody may see is not even read. Raises Missing and Unavailable as the bundle's tree does.
    """
    granted = [file for file in item.files if access.of(file)]
    writings, findings = _all_of(granted, item, inputs)
    findings += [not_granted(file, item) for file in item.files if not access.of(file) and not is_picture(file)]
    return GuidelineSource(item=item, writings=writings, findings=in_order(findings), access=access)


def read_writing(file: str, item_files: frozenset[str], dialect: Dialect, encoding: str, inputs: Inputs) -> Reading:
    """A file of Markdown, HTML or plain text as a writing.

    `item_files` are the files to which its links may lead; `dialect` is what the item says. Raises InvalidInput
    where the file cannot be read at all, and Missing and Unavailable as the bundle's tree does.
    """
    form = form_of(file)
    if form is None:
        raise InvalidInput([_not_read(file)])
    refuse_too_large(inputs.size(file) or 0, file)
    source = readable(decode(inputs.read(file), file, encoding), file, form, dialect, inputs)
    surroundings = Surroundings(
        file=file,
        published=item_files,
        dialect="mkdocs" if source.names == "mkdocs" else "gfm",
        exists=inputs.exists,
    )
    try:
        return _reading(source, surroundings, inputs)
    except TooManyElements as refused:
        message = (
            f"The text has {refused.found:,} elements; at most {MOST_ELEMENTS:,} are read: cut the file in parts."
        )
        raise InvalidInput([problem("too-many-elements", Place(file), message)]) from None


def _all_of(
    files: Iterable[str], item: ApiItem | ComponentItem | FilesItem, inputs: Inputs
) -> tuple[tuple[Writing, ...], list[Finding]]:
    """The writings of some files of an item, in order of their paths, and what is to be said of them."""
    writings: list[Writing] = []
    findings: list[Finding] = []
    texts = sorted(file for file in files if not is_picture(file))
    readable_files = frozenset(file for file in texts if form_of(file))
    for file in texts:
        try:
            reading = read_writing(file, readable_files, item.markdown, item.encoding, inputs)
        except InvalidInput as refused:
            findings += refused.problems
        else:
            writings.append(reading.writing)
            findings += reading.findings
    return tuple(writings), findings


def _reading(source: Readable, surroundings: Surroundings, inputs: Inputs) -> Reading:
    root = tree_of(source.html)
    shorten_runs_of_breaks(root)
    if source.names == "github":
        drop_attribute_lists(root)
        places = named_by_github(root)
    else:
        drop_self_links(root)
        drop_returns_to_nowhere(root)
        places = named_by_themselves(root, of_mkdocs=source.names == "mkdocs")
    resolving = Resolving(
        surroundings=surroundings,
        places=places,
        picture=_pictures_in(inputs),
        line_of=line_finder(source.fronted.rest, source.fronted.lines),
    )
    cuts = cuts_of(root)
    move_footnotes(cuts)
    found = [section_of(cut, resolving, source.fronted.lines) for cut in cuts]
    sections = tuple(section for section in found if section)
    first = next((section.title for section in sections if section.level == 1), "")
    writing = Writing(
        file=surroundings.file,
        title=source.fronted.front.get("title", "") or first or source.title,
        front=source.fronted.front,
        sections=sections,
        images=tuple(resolving.images.values()),
    )
    findings = in_order([*source.findings, *resolving.findings()])
    return Reading(writing=writing, findings=findings, tally=resolving.tally)


def _pictures_in(inputs: Inputs) -> Callable[[str], Image | Refusal]:
    def picture(path: str) -> Image | Refusal:
        if path in inputs.elsewhere:
            return Refusal("image-not-shown", Severity.INFO, "belongs to another item, which may have other readers")
        size = inputs.size(path) if path else None
        if size is None:
            return Refusal("image-missing", Severity.WARNING, "is no file of the bundle")
        if size > LARGEST:
            return Refusal("image-not-shown", Severity.INFO, f"has more than {LARGEST:,} bytes")
        found = bitmap(inputs.read(path))
        return found or Refusal("image-not-shown", Severity.INFO, "is none of PNG, JPEG, GIF and WebP")

    return picture


def _not_read(file: str) -> Finding:
    message = f"Texts are read from {', '.join(FORMS)} files; convert this one, or take it out of hanpon.yaml."
    return problem("format-not-read", Place(file), message)
