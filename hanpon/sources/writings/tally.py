"""What became of the links and images of a text."""

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """How many links and images a text has, and what became of them."""

    links: int = 0
    kept: int = 0
    """Links to the web and to mail addresses."""
    resolved: int = 0
    """Links to places of the text, and to other files of its item."""
    unlinked: int = 0
    """Links that are text now; a finding says so."""
    images: int = 0
    shown: int = 0
    linked: int = 0
    """Images elsewhere, which are links now, or the words of the link in which they stand."""
    worded: int = 0
    """Images that are their words now; a finding says so."""

    @property
    def adds_up(self) -> bool:
        links = self.kept + self.resolved + self.unlinked
        return links == self.links and self.shown + self.linked + self.worded == self.images
