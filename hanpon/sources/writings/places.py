"""The places of a text that links may call: what headings and other elements are named."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from bs4.element import Tag

from hanpon.formats.heading_ids import Taken, github_id, mkdocs_id
from hanpon.sources.writings.text_tree import HEADINGS, attribute, tags, text_of, text_without_notes

_PREFIX = "user-content-"
_NAMELESS = "section"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The ids of a text, and what else its links may say for them."""

    ids: frozenset[str]
    alike: Mapping[str, str] = field(default_factory=dict)
    first: str = ""
    """The id of the first heading, "" where there is none."""

    def called(self, fragment: str) -> str:
        """The id that a fragment means, "" for none.

        As it is written, or percent-decoded, or without GitHub's prefix; last by what is alike but for capitals, or
        by the id that another site would have given a heading.
        """
        decoded = unquote(fragment)
        for one in (fragment, decoded, decoded.removeprefix(_PREFIX)):
            if one in self.ids:
                return one
        return self.first if decoded in {"", "top"} else self.alike.get(_folded(decoded.removeprefix(_PREFIX)), "")


def named_by_github(root: Tag) -> Places:
    """Give all headings the ids that GitHub does; their own become those of an empty element in them.

    A heading of images alone, for which GitHub has no id, is called by their words.
    """
    taken = Taken()
    named: list[tuple[Tag, str]] = []
    for of_images in (False, True):
        for heading in tags(root, *HEADINGS):
            text = text_of(heading)
            if of_images == bool(text.strip()):
                continue
            words = text if text.strip() else words_of_images(heading)
            if not words:
                continue  # no heading at all
            own, given = attribute(heading, "id"), taken.numbered(github_id(words) or _NAMELESS)
            heading["id"] = given
            named.append((heading, words))
            if own and own != given:
                heading.insert(0, Tag(name="span", attrs={"id": own}))
    return _places(root, taken, named)


def named_by_themselves(root: Tag, *, of_mkdocs: bool) -> Places:
    """Leave headings the ids they have, and give the others what MkDocs or GitHub makes of their texts."""
    taken = Taken()
    named: list[tuple[Tag, str]] = []
    nameless: list[tuple[Tag, str]] = []
    for heading in tags(root, *HEADINGS):
        words = text_of(heading).strip() or words_of_images(heading)
        if words:
            (named if taken.claim(attribute(heading, "id")) else nameless).append((heading, words))
    others = {attribute(tag, "id") for tag in tags(root) if tag.name not in HEADINGS}
    for heading, words in nameless:
        wanted = (mkdocs_id(words) if of_mkdocs else github_id(words)) or _NAMELESS
        heading["id"] = _free(wanted, taken, others)
    return _places(root, taken, [*named, *nameless])


def words_of_images(heading: Tag) -> str:
    """What the images of a heading say in words."""
    return " ".join(words for image in tags(heading, "img") if (words := attribute(image, "alt").strip()))


def _free(wanted: str, taken: Taken, others: set[str]) -> str:
    found = taken.numbered(wanted)
    while found in others:
        found = taken.numbered(wanted)
    return found


def _places(root: Tag, taken: Taken, named: Sequence[tuple[Tag, str]]) -> Places:
    """Take the ids of all elements but the headings in `named`, which have theirs, each for the first that has it."""
    settled = {id(heading) for heading, _ in named}
    first = next((attribute(tag, "id") for tag in tags(root, *HEADINGS) if id(tag) in settled), "")
    for tag in tags(root):
        if id(tag) in settled:
            continue
        own = attribute(tag, "id") or (attribute(tag, "name") if tag.name == "a" else "")
        if "name" in tag.attrs:
            del tag["name"]
        if own and not any(character.isspace() for character in own) and taken.claim(own):
            tag["id"] = own
        elif "id" in tag.attrs:
            del tag["id"]
    alike: dict[str, str] = {}
    for one in sorted(taken.ids):
        alike.setdefault(_folded(one), one)
    for heading, words in named:
        for text in (words, " ".join(words.split()), text_without_notes(heading).strip()):
            alike.setdefault(_folded(github_id(text)), attribute(heading, "id"))
    return Places(ids=frozenset(taken.ids), alike=alike, first=first)


def _folded(fragment: str) -> str:
    return unicodedata.normalize("NFC", fragment).casefold()
