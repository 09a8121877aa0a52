"""Names of resources, as callers may write them and as the service writes them back."""

import re
from dataclasses import dataclass

from tests.cloud.discovery_engine.refusals import absent, forbidden, invalid

_NAME = re.compile(r"projects/([^/]+)/locations/([^/]+)(?:/collections/([^/]+))?(?:/(.+))?")


@dataclass(frozen=True, slots=True)
class ResourceNames:
    """A project in a location. The service takes the project's id and answers with its number."""

    project: str = "p"
    number: str = "412000000001"
    location: str = "global"

    def inner(self, name: str) -> str:
        """What a name says after project, location and collection; "" for a location or collection itself.

        Raises Refused for another project, for a location this endpoint does not serve, and for other collections.
        """
        match = _NAME.fullmatch(name)
        if match is None:
            raise invalid(f'Invalid resource name "{name}".')
        project, location, collection, inner = match.groups()
        if project not in {self.project, self.number}:
            raise forbidden(f"Permission denied on resource project {project}.")
        if location != self.location:
            raise invalid(
                f'Incorrect API endpoint used. The current endpoint can only serve traffic from "{self.location}" '
                f'region, but got "{location}" region from the API request.'
            )
        if collection not in {None, "default_collection"}:
            raise absent(f"Collection {collection} not found.")
        return inner or ""

    def full(self, inner: str) -> str:
        """The name as the service writes it, of what stands in the default collection."""
        return f"{self.at_location('collections/default_collection')}/{inner}"

    def at_location(self, inner: str) -> str:
        """The name as the service writes it, of what stands in the location itself."""
        return f"projects/{self.number}/locations/{self.location}/{inner}"


def parts(inner: str, pattern: str) -> tuple[str, ...]:
    """The stars of a pattern (`dataStores/*/branches/*`). Raises Refused where the name is not like it."""
    expression = re.escape(pattern).replace(r"\*", "([^/]+)")
    match = re.fullmatch(expression, inner)
    if match is None:
        raise invalid(f'Invalid resource name "{inner}": expected {pattern}.')
    return match.groups()
