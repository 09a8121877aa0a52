"""From an item of a bundle to its documents: one function for each kind, each a sequence of stations.

Readers that load large libraries (HTML, the second dialect of Markdown) are imported where their first item is met.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hanpon.contracts.access import Access, Grant
from hanpon.contracts.bundle import ApiItem, ComponentItem, FilesItem, Item
from hanpon.contracts.documents import Document
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Finding, Severity
from hanpon.contracts.names import Inventory
from hanpon.contracts.ports import BundleTree, DefinitionValidator, Verdict
from hanpon.contracts.writings import Image, Writing
from hanpon.inventory.api_names import names_of
from hanpon.sources.access.reader import read_access
from hanpon.sources.definitions.checks import unplaced_findings
from hanpon.sources.definitions.files import open_definition
from hanpon.sources.openapi.reader import read_api
from hanpon.sources.texts.inputs import Inputs
from hanpon.sources.texts.mention_places import operation_mentions, spoken_versions, writing_mentions
from renderers import answer, clause, design, operation, readme

RECIPES: Mapping[Kind, Mapping[str, int]] = {
    Kind.API: {"operation": operation.RECIPE, "readme": readme.RECIPE},
    Kind.COMPONENT: {"readme": readme.RECIPE},
    Kind.GUIDELINE: {"clause": clause.RECIPE},
    Kind.DESIGN: {"design": design.RECIPE},
    Kind.ANSWERS: {"answer": answer.RECIPE},
}
"""The renderers that take part in an edition of each kind, with the numbers raised when their pages change."""


def _no_verdict() -> Verdict:
    return Verdict(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Everything that an edition is gathered from. `verdict` waits for the full validator, where there is one."""

    documents: tuple[Document, ...]
    inventory: Inventory
    inputs: Mapping[str, str]
    definition: tuple[str, ...] = ()
    """Those of the inputs that are the definition's."""
    images: tuple[Image, ...] = ()
    findings: tuple[Finding, ...] = ()
    verdict: Callable[[], Verdict] = field(default=_no_verdict)


def draft(
    item: Item, tree: BundleTree, validator: DefinitionValidator, claimed: frozenset[str] = frozenset()
) -> Draft:
    """Read and render an item. Raises InvalidInput where it cannot be read at all.

    `claimed` are the files of all guidelines, designs and answers of the bundle; images among those of other items
    are not shown.
    """
    own = item.files if isinstance(item, FilesItem) else ()
    inputs = Inputs(tree, claimed.difference(own))
    if isinstance(item, ApiItem):
        return _api(item, tree, validator, inputs)
    if isinstance(item, ComponentItem):
        return _component(item, inputs)
    assert isinstance(item, FilesItem)  # noqa: S101  there are no other items
    drafts = {Kind.GUIDELINE: _guideline, Kind.ANSWERS: _answers, Kind.DESIGN: _designs}
    return drafts[item.kind](item, inputs)


def access_of(item: Item, inputs: Inputs) -> tuple[Access, tuple[Finding, ...]]:
    """Who may see what is made of each file of an item. Raises InvalidInput for an access file that is none."""
    if isinstance(item, FilesItem):
        return read_access(item, inputs)
    return Access(common=Grant(readers=item.readers, api=item.name, api_version=item.version)), ()


def _api(item: ApiItem, tree: BundleTree, validator: DefinitionValidator, inputs: Inputs) -> Draft:
    definition = open_definition(tree, item.definition, item.encoding)
    own = unplaced_findings(definition)
    verdict_of = validator.start(item.definition, definition.contents, item.encoding)
    source = read_api(definition, item)
    definition.forget_values()  # or they would be held beside all pages
    rendered = operation.render(source)
    own += (*source.findings, *rendered.findings, *operation_mentions(source))
    beside = _readmes(item, inputs)
    return Draft(
        documents=(*rendered.documents, *beside.documents),
        inventory=names_of(source),
        # what a README only links to may be the definition itself, of which more is remembered
        inputs={**beside.inputs, **definition.inputs},
        definition=tuple(sorted(definition.contents)),
        images=beside.images,
        findings=(*definition.with_lines(own), *beside.findings),
        verdict=verdict_of,
    )


def _component(item: ComponentItem, inputs: Inputs) -> Draft:
    made = _readmes(item, inputs)
    if item.code is None:
        return made
    words = f"{item.edition}: the functions in {item.code.path} are not listed yet, so its list of names is empty"
    unlisted = Finding("names-not-listed", Severity.WARNING, item.place, words)
    return Draft(
        documents=made.documents,
        inventory=made.inventory,
        inputs=made.inputs,
        images=made.images,
        findings=(*made.findings, unlisted),
    )


def _readmes(item: ApiItem | ComponentItem, inputs: Inputs) -> Draft:
    if not item.readme:
        return Draft(documents=(), inventory=Inventory(item.edition), inputs={})
    from hanpon.sources.writings.reader import read_readmes  # noqa: PLC0415  see above

    source = read_readmes(item, inputs)
    rendered = readme.render(source)
    grant = Grant(readers=item.readers, api=item.name, api_version=item.version)
    return Draft(
        documents=rendered.documents,
        inventory=Inventory(item.edition),
        inputs=inputs.remembered,
        images=_images(source.writings),
        findings=(*source.findings, *rendered.findings, *_mentions(source.writings, item, lambda _: grant)),
    )


def _guideline(item: FilesItem, inputs: Inputs) -> Draft:
    from hanpon.sources.writings.reader import read_guideline  # noqa: PLC0415  see above

    access, unclear = access_of(item, inputs)
    source = read_guideline(item, access, inputs)
    rendered = clause.render(source)
    return Draft(
        documents=rendered.documents,
        inventory=Inventory(item.edition),
        inputs=inputs.remembered,
        images=_images(source.writings),
        findings=(*unclear, *source.findings, *rendered.findings, *_mentions(source.writings, item, access.of)),
    )


def _answers(item: FilesItem, inputs: Inputs) -> Draft:
    from hanpon.sources.answers.reader import read_answers  # noqa: PLC0415  see above

    access, unclear = access_of(item, inputs)
    source = read_answers(item, access, inputs)
    rendered = answer.render(source)
    return Draft(
        documents=rendered.documents,
        inventory=Inventory(item.edition),
        inputs=inputs.remembered,
        findings=(*unclear, *source.findings, *rendered.findings),
    )


def _designs(item: FilesItem, inputs: Inputs) -> Draft:
    from hanpon.sources.designs.reader import read_designs  # noqa: PLC0415  see above

    access, unclear = access_of(item, inputs)
    source = read_designs(item, access, inputs)
    rendered = design.render(source)
    writings = tuple(each.content for each in source.designs if isinstance(each.content, Writing))
    return Draft(
        documents=rendered.documents,
        inventory=Inventory(item.edition),
        inputs=inputs.remembered,
        images=_images(writings),
        findings=(*unclear, *source.findings, *rendered.findings),
    )


def _mentions(
    writings: tuple[Writing, ...], item: Item, grant_of: Callable[[str], Grant | None]
) -> Iterator[Finding]:
    for writing in writings:
        grant = grant_of(writing.file)
        if grant is not None:
            yield from writing_mentions(writing, *spoken_versions(item, grant))


def _images(writings: tuple[Writing, ...]) -> tuple[Image, ...]:
    return tuple(image for writing in writings for image in writing.images)
