"""Editions made by hand, for tests of what comes after printing."""

from collections.abc import Mapping

from hanpon.contracts.documents import Document, Metadata, identify
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.names import Inventory, Name
from hanpon.releases.edition_print import PrintedEdition, print_edition

CUSTOMER = Edition(Kind.API, "customer", "v1")
ENGINEERS = ("group:engineers@example.co.jp",)


def document(
    section: str,
    text: str = "text",
    *,
    edition: Edition = CUSTOMER,
    readers: tuple[str, ...] = ENGINEERS,
    owner: str = "platform-team",
) -> Document:
    """A page whose heading is `section` and whose body is `text`."""
    identifier, slug = identify(edition, "api_spec", section)
    metadata = Metadata(
        title=section,
        doc_type="api_spec",
        api=edition.name,
        api_version=edition.version,
        version_rank=1,
        owner=owner,
        language="en",
        section=section,
        groups=readers,
        source=f"openapi.yaml#/paths/{section}",
    )
    content = f"<h1>{section}</h1><p>{text}</p>".encode()
    return Document(id=identifier, slug=slug, edition=edition, metadata=metadata, readers=readers, content=content)


def edition_of(
    *documents: Document, edition: Edition = CUSTOMER, inputs: Mapping[str, str] | None = None
) -> PrintedEdition:
    """An edition of these documents; its inventory names their sections."""
    names = tuple(
        Name(kind="path", name=d.metadata.section, document=d.id)
        for d in sorted(documents, key=lambda d: d.metadata.section)
    )
    return print_edition(
        documents,
        Inventory(edition, names),
        inputs=inputs or {"openapi.yaml": "0" * 64},
        settings="1" * 64,
        recipe={"operation": 1},
        findings=(),
    )
