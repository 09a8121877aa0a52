"""The links and images of one text: each is kept, resolved or reported, and none gets lost."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import unquote, urlsplit

from bs4.element import NavigableString, Tag

from hanpon.contracts.credentials import without_credentials
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.contracts.writings import WRITING, Image
from hanpon.sources.texts.text_problems import MOST_PROBLEMS, shown
from hanpon.sources.writings.addresses import Address, Refusal, Surroundings
from hanpon.sources.writings.places import Places
from hanpon.sources.writings.tally import Tally
from hanpon.sources.writings.text_tree import attribute, empty, is_blank, tags, take_away, text_of

_SHOWN = 120
_KEPT = {"alt", "height", "src", "title", "width"}


@dataclass(slots=True, kw_only=True)
class Resolving:
    """Goes through a text, element by element, and remembers what is to be reported."""

    surroundings: Surroundings
    places: Places
    picture: Callable[[str], Image | Refusal]
    """The image at a path of the bundle."""
    line_of: Callable[[str], int]
    tally: Tally = field(default_factory=Tally)
    images: dict[str, Image] = field(default_factory=dict)
    """By name, in order of their first use."""
    _refused: Counter[tuple[str, str, Refusal]] = field(default_factory=Counter)

    def resolve(self, node: Tag) -> None:
        """Settle all links, then all images, in an element."""
        for link in (node, *tags(node, "a")):
            if link.name == "a":
                self._link(link)
        for image in (node, *tags(node, "img")):
            if image.name == "img":
                self._image(image)

    def unlink_in_heading(self, addresses: Iterable[str]) -> None:
        """Take note of links that were settled and then taken out of a heading, their words left."""
        for address in addresses:
            self.tally.unlinked += 1
            if address.startswith(("#", WRITING)):
                self.tally.resolved -= 1
            else:
                self.tally.kept -= 1
            self._refuse("", "", Refusal("link-in-heading", Severity.INFO, "stands in a heading"))

    def findings(self) -> list[Finding]:
        """One finding for each thing that is wrong with each target, `MOST_PROBLEMS` at most."""
        found = [self._finding(*key, count) for key, count in list(self._refused.items())[:MOST_PROBLEMS]]
        if (more := len(self._refused) - len(found)) > 0:
            message = f"{more:,} more links and images of this file are not as they should be; they are not listed."
            place = Place(self.surroundings.file)
            found.append(Finding("too-many-problems", Severity.WARNING, place, message))
        return found

    def _finding(self, what: str, target: str, refusal: Refusal, count: int) -> Finding:
        place = Place(self.surroundings.file, "", self.line_of(target) if target else 0)
        if refusal.rule == "link-in-heading":
            many = "A link stands in a heading" if count == 1 else f"{count} links stand in headings"
            message = f"{many}, where only words are shown: a heading is what other links lead to."
            return Finding(refusal.rule, refusal.severity, place, message)
        name = f"{what} {shown(_readable(target), _SHOWN)}" if target else what
        often = f" (it stands here {count} times)" if count > 1 else ""
        message = f"{name} {refusal.said}{often}, so only its words are shown."
        return Finding(refusal.rule, refusal.severity, place, message)

    def _refuse(self, what: str, target: str, refusal: Refusal) -> None:
        self._refused[what, target, refusal] += 1

    def _link(self, link: Tag) -> None:
        if is_blank(link):
            link.attrs.pop("href", None)  # a mark, which nobody can follow
            return
        if "href" not in link.attrs:
            if "id" not in link.attrs and text_of(link).strip():
                self._nameless(link)
            return
        written = attribute(link, "href")
        self.tally.links += 1
        found = self._meant(written)
        if isinstance(found, Refusal):
            self.tally.unlinked += 1
            self._refuse("The link", written, found)
            self._made_text(link, found)
            return
        if found.kind == "outside":
            self.tally.kept += 1
            link["rel"] = "noopener noreferrer"
        else:
            self.tally.resolved += 1
        link["href"] = found.text

    def _meant(self, written: str) -> Address | Refusal:
        found = self.surroundings.address(written)
        if isinstance(found, Refusal) or found.kind != "here":
            return found
        place = self.places.called(found.text)
        if place:
            return Address("here", f"#{place}")
        return Refusal("link-dangling", Severity.WARNING, "leads to no heading or element of this file")

    def _nameless(self, link: Tag) -> None:
        """A link whose address the allow list took away."""
        self.tally.links += 1
        self.tally.unlinked += 1
        refusal = Refusal("link-scheme", Severity.INFO, "has an address that no page may have")
        self._refuse(f"The link with the words {shown(' '.join(text_of(link).split()), _SHOWN)}", "", refusal)
        take_away(link)

    def _made_text(self, link: Tag, refusal: Refusal) -> None:
        if refusal.rule == "link-with-credentials":
            for text in [one for one in link.find_all(string=True) if isinstance(one, NavigableString)]:
                text.replace_with(NavigableString(without_credentials(str(text))))
        identity = attribute(link, "id")
        link.attrs.clear()
        if identity:
            link["id"] = identity
        else:
            take_away(link)

    def _image(self, image: Tag) -> None:
        self.tally.images += 1
        written = attribute(image, "src")
        link = image.find_parent("a")
        in_link = isinstance(link, Tag) and "href" in link.attrs
        found = self._picture(written)
        if isinstance(found, Image):
            self.tally.shown += 1
            self.images.setdefault(found.name, found)
            for name in set(image.attrs) - _KEPT:
                del image[name]
            image["src"], image["alt"] = f"../assets/{found.name}", attribute(image, "alt")
        elif isinstance(found, Refusal):
            self.tally.worded += 1
            self._refuse("The image", written, found)
            _as_words(image, attribute(image, "alt"))
        elif in_link:
            self.tally.linked += 1
            only_this = isinstance(link, Tag) and not text_of(link).strip()
            _as_words(image, attribute(image, "alt") or (_host_of(found.text) if only_this else ""))
        else:
            self.tally.linked += 1
            words = attribute(image, "alt").strip() or found.text
            image.name = "a"
            image.attrs.clear()
            image["href"], image["rel"] = found.text, "noopener noreferrer"
            image.can_be_empty_element = False
            image.append(NavigableString(words))

    def _picture(self, written: str) -> Image | Address | Refusal:
        if not written.strip():
            return Refusal("image-not-shown", Severity.INFO, "has no address from which a page may load it")
        found = self.surroundings.elsewhere(written)
        if isinstance(found, Refusal) and found.rule == "link-scheme":
            return Refusal("image-not-shown", Severity.INFO, found.said)
        if found is not None:
            return found
        path = self.surroundings.path(written.partition("#")[0].partition("?")[0])
        if isinstance(path, Refusal):
            return replace(path, rule=path.rule.replace("link-dangling", "image-missing"))
        return self.picture(path)


def _readable(address: str) -> str:
    """An address as people read it: a converter writes Japanese in it as `%E7%AC%AC`."""
    try:
        return unquote(address, errors="strict")
    except UnicodeDecodeError:
        return address


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _as_words(image: Tag, words: str) -> None:
    empty(image)
    image.append(NavigableString(words))
