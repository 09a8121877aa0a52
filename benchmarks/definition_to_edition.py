"""From a definition to pages on disk, as a ratio to the floor of the same run.

The floor is what nobody can do without: parsing the file (JSON by the standard library, YAML by libyaml's events) and
writing the same bytes. Times are processor time of this process; the full validator, which runs in a process of its
own, is not part of it.

    python benchmarks/definition_to_pages.py [DEFINITION]
"""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import yaml

from hanpon.adapters.folder_tree import FolderTree
from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Place
from hanpon.inventory.api_names import names_of
from hanpon.releases.edition_print import PrintedEdition, print_edition
from hanpon.sources.definitions.checks import check_definition
from hanpon.sources.definitions.files import DefinitionFiles, open_definition
from hanpon.sources.openapi.reader import read_api
from renderers import operation

T = TypeVar("T")
DEFAULT = Path(__file__).parents[1] / "examples/shop-platform/apis/customer/v2/openapi.yaml"


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds and the result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def parse(path: Path) -> None:
    """The least that reading a definition takes."""
    data = path.read_bytes()
    if path.suffix == ".json":
        json.loads(data)
        return
    loader = yaml.CSafeLoader(data)
    while not isinstance(loader.get_event(), yaml.StreamEndEvent):
        pass


def write(folder: Path, objects: Mapping[str, bytes]) -> None:
    """Write every object into a fresh folder."""
    for number, data in enumerate(objects.values()):
        (folder / str(number)).write_bytes(data)


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    item = ApiItem(
        kind=Kind.API,
        name="bench",
        version="v1",
        title="bench",
        readers=("all",),
        language="en",
        place=Place("hanpon.yaml"),
        definition=path.name,
    )

    def opened() -> DefinitionFiles:
        return open_definition(FolderTree(path.parent), path.name)

    seconds: dict[str, float] = {}
    seconds["parse"], definition = timed(opened)
    seconds["check"], _ = timed(lambda: check_definition(definition))
    seconds["read"], source = timed(lambda: read_api(definition, item))
    seconds["render"], documents = timed(lambda: operation.render(source).documents)

    def gathered() -> PrintedEdition:
        return print_edition(
            documents, names_of(source), inputs=definition.files, settings="", recipe={}, findings=()
        )

    seconds["digest"], printed = timed(gathered)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    objects = {key: stored.data for key, stored in printed.objects.items()}
    with tempfile.TemporaryDirectory() as folder:
        seconds["write"], _ = timed(lambda: write(Path(folder), objects))
    floor = timed(lambda: parse(path))[0] + seconds["write"]
    for name, value in seconds.items():
        print(f"{name:8}{value:8.3f} s  {value / floor:6.2f} x the floor")
    print(f"{'all':8}{sum(seconds.values()):8.3f} s  {sum(seconds.values()) / floor:6.2f} x the floor")
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024  # ru_maxrss counts kilobytes, on macOS bytes
    print(f"{len(documents)} pages, {sum(map(len, objects.values())) / 1e6:.1f} MB, peak memory {peak / unit:.0f} MB")


if __name__ == "__main__":
    main()
