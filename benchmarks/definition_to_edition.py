"""What releasing a definition costs, as ratios to the floor of the same run.

    python benchmarks/definition_to_edition.py [DEFINITION] [--repeat N] [--validator] [--json]

DEFINITION is a file of JSON or YAML, or either in gzip; without it, one of the example's. The floor is what nobody
can do without: parsing the file (JSON by the standard library, YAML as far as libyaml's events) and writing the same
bytes as files. Against it stand three whole releases, into a folder and an SQLite database:

- first: nothing is there yet;
- unchanged: the same again, and nothing may be parsed: the benchmark fails where something is;
- changed: the summary of one operation is another one.

Each runs in a process of its own, so that peak memory is its own too, and N times (3): of each part the cheapest
counts, for a busy machine only ever adds. Times are processor time. A busy disk makes writing dear, the floor's above
all, and so the ratios small: TMPDIR=/dev/shm, where there is one, keeps the disk out of it.

The rows of the datastore stand apart from the pages, and so does the full validator: it runs in processes of its own,
once for each content, and only with --validator.
"""

import argparse
import gzip
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml

from hanpon.adapters import subprocess_validator
from hanpon.adapters.file_storage import FileStorage
from hanpon.adapters.sqlite_rows import Change
from hanpon.contracts.pointers import pointer_of
from hanpon.contracts.ports import Verdict
from hanpon.runs import drafting, printing, publishing
from hanpon.sources.definitions.files import DefinitionFiles
from hanpon.sources.texts.structured_text import locate, parse
from hanpon.wiring import ReleaseFlags, release_of, settings_from
from renderers import operation

DEFAULT = Path(__file__).parents[1] / "examples/shop-platform/apis/customer/v2/openapi.yaml"
JOBS = ("first", "unchanged", "changed")
Patch = AbstractContextManager[Any]

READERS = "group:everybody@example.com"

STATIONS: dict[str, list[tuple[Any, str]]] = {
    "parse": [(drafting, "open_definition")],
    "check": [(drafting, "unplaced_findings"), (DefinitionFiles, "with_lines")],
    "read": [(drafting, "read_api"), (drafting, "operation_mentions"), (drafting, "names_of")],
    "render": [(operation, "render")],
    "print": [(printing, "print_edition")],
    "write": [(publishing, "_stage"), (publishing, "_verify_objects")],
    "rows": [(publishing, "_import_rows")],
}
"""Functions by what they are part of; `print` makes digests and manifest. What is in none of them is `rest`."""


# --- in the parent ------------------------------------------------------------------------------------------------


def main() -> int:
    arguments = _arguments()
    if arguments.job:
        print(json.dumps(CHILDREN[arguments.job](arguments.folder)))
        return 0
    with tempfile.TemporaryDirectory(prefix="hanpon-bench-") as folder:
        figures = measure(arguments.definition, Path(folder), arguments.repeat, with_validator=arguments.validator)
    print(json.dumps(figures, indent=2) if arguments.json else "\n".join(report(figures)))
    return 0 if all(job["as_expected"] for job in figures["jobs"].values()) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What releasing a definition costs, as ratios to the floor.")
    parser.add_argument("definition", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument(
        "--repeat", type=int, default=3, help="how often everything is done; of each part the cheapest counts"
    )
    parser.add_argument("--validator", action="store_true", help="time the full validator too, in its own process")
    parser.add_argument("--json", action="store_true", help="figures for a machine")
    parser.add_argument("--job", choices=sorted(CHILDREN), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(definition: Path, folder: Path, repeat: int, *, with_validator: bool) -> dict[str, Any]:
    """Everything that is printed. Nothing large is loaded here: a child's peak begins with what its parent has."""
    name = unpack(definition, folder)
    changed = run_child("prepare", folder)["operation"]
    tries: dict[str, list[dict[str, Any]]] = {job: [] for job in ("floor", *JOBS)}
    for _ in range(repeat):
        shutil.rmtree(folder / "out", ignore_errors=True)
        for variant, jobs in (("given", ("first", "floor", "unchanged")), ("changed", ("changed",))):
            shutil.copyfile(folder / variant / name, folder / "bundle" / name)
            for job in jobs:
                tries[job].append(run_child(job, folder))
    best = {job: cheapest(made) for job, made in tries.items()}
    return {
        "definition": definition.name,
        "bytes": (folder / "given" / name).stat().st_size,
        "operation_changed": changed,
        "floor": best.pop("floor"),
        "jobs": best,
        "validator": run_child("validator", folder) if with_validator else None,
    }


def cheapest(tries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a job said at last, with the least time of each part, and the largest peak."""
    parts = {part: min(one["parts"][part] for one in tries) for part in tries[0]["parts"]}
    return tries[-1] | {"parts": parts, "cpu": sum(parts.values()), "peak": max(one["peak"] for one in tries)}


def unpack(definition: Path, folder: Path) -> str:
    """The definition in a folder `given`, and a bundle for it; the file's name there."""
    name = definition.name.removesuffix(".gz")
    for made in ("given", "changed", "bundle"):
        (folder / made).mkdir()
    data = definition.read_bytes()
    (folder / "given" / name).write_bytes(gzip.decompress(data) if definition.suffix == ".gz" else data)
    item = {"kind": "api", "name": "bench", "version": "v1", "definition": name}
    described = {"owner": "bench", "readers": [READERS], "language": "en", "items": [item]}
    (folder / "bundle" / "hanpon.yaml").write_text(yaml.safe_dump(described), encoding="utf-8")
    return name


def run_child(job: str, folder: Path) -> dict[str, Any]:
    """What a job says, done in a process of its own."""
    command = [sys.executable, __file__, "--job", job, "--folder", str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def report(figures: Mapping[str, Any]) -> Iterator[str]:
    """The figures for a person."""
    floor, jobs = figures["floor"], figures["jobs"]
    yield f"{figures['definition']}: {figures['bytes'] / 1e6:.1f} MB, {jobs['first']['documents']} pages"
    parse_seconds, write_seconds = floor["parts"].values()
    yield (
        f"floor: {floor['cpu']:.3f} s ({parse_seconds:.3f} to parse, {write_seconds:.3f} to write "
        f"{floor['bytes'] / 1e6:.1f} MB), {floor['peak']:.0f} MB"
    )
    for job in JOBS:
        found = jobs[job]
        parts = dict(found["parts"])
        rows = parts.pop("rows", 0.0)
        yield ""
        yield f"{job:10}{'CPU s':>8}{'x floor':>9}"
        if job != "unchanged":
            yield from (_line(name, seconds, floor["cpu"]) for name, seconds in parts.items())
        yield _line("all" if job == "unchanged" else "pages", found["cpu"] - rows, floor["cpu"])
        if job != "unchanged":
            yield _line("rows", rows, floor["cpu"])
        yield f"  peak memory {found['peak']:.0f} MB, {found['peak'] / floor['peak']:.1f} x the floor's"
        yield f"  {_said(found)}"
    yield ""
    yield f"changed was: {figures['operation_changed']}"
    validator = figures["validator"]
    yield (
        f"full validator, in a process of its own: {validator['children_cpu']:.1f} s CPU"
        if validator
        else "not in these figures: the full validator, in a process of its own, once per content (--validator)"
    )


def _line(name: str, seconds: float, floor: float) -> str:
    return f"  {name:8}{seconds:8.3f}{seconds / floor:9.2f}"


def _said(found: Mapping[str, Any]) -> str:
    written = ", ".join(f"{count} {what}" for what, count in found["written"].items()) or "nothing"
    calls = found["parsed"]
    parsed = f"definitions parsed: {calls}"
    return f"{found['status']}; written: {written}; {parsed}{'' if found['as_expected'] else '  <-- NOT AS EXPECTED'}"


# --- in children --------------------------------------------------------------------------------------------------


class Stopwatch:
    """Processor seconds by station. What one station does for another counts for the inner one alone."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys((*STATIONS, "rest"), 0.0)
        self.calls: Counter[str] = Counter()
        self._open: list[str] = []
        self._since = 0.0

    def timed(self, station: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def timing(*positional: Any, **named: Any) -> Any:
            self.calls[station] += 1
            with self.at(station):
                return work(*positional, **named)

        return timing

    @contextmanager
    def at(self, station: str) -> Iterator[None]:
        self._turn()
        self._open.append(station)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()

    def _turn(self) -> None:
        now = time.process_time()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now


class NoValidator:
    """Finds nothing and takes no time: the full validator is measured apart."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def start(self, *_: object) -> Callable[[], Verdict]:
        return lambda: Verdict(())

    def known(self, *_: object) -> Verdict:
        return Verdict(())


class Silence:
    """Shows nothing."""

    def step(self, *_: object) -> None:
        return


def releasing(job: str) -> Callable[[Path], dict[str, Any]]:
    """A release in this process, and whether it did what is expected of the job."""

    def released(folder: Path) -> dict[str, Any]:
        watch, written = Stopwatch(), Counter[str]()
        out = folder / "out"
        with ExitStack() as patches:
            for replacement in (
                *timed(watch),
                *counted(written),
                patch.object(subprocess_validator, "SubprocessValidator", NoValidator),
            ):
                patches.enter_context(replacement)
            settings = settings_from(
                {
                    "--storage": f"file:{out / 'storage'}",
                    "--datastore": f"sqlite:{out / 'hanpon.db'}",
                    "--cache": str(out),
                    "--validator-timeout": "1",
                },
                {},
            )
            with watch.at("rest"):
                (edition,) = release_of(
                    folder / "bundle", ReleaseFlags(validation="report"), settings, Silence()
                )().editions
        status, parsed = str(edition.status), watch.calls["parse"]
        is_unchanged = status == "unchanged" and not parsed and not written
        return {
            "peak": peak(),
            "parts": watch.seconds,
            "status": status,
            "documents": edition.counts.documents,
            "parsed": parsed,
            "written": dict(written),
            "as_expected": is_unchanged if job == "unchanged" else status == "published" and parsed == 1,
        }

    return released


def timed(watch: Stopwatch) -> Iterator[Patch]:
    """Every station timed where the release finds it."""
    for station, functions in STATIONS.items():
        for module, name in functions:
            yield patch.object(module, name, watch.timed(station, getattr(module, name)))


def counted(written: Counter[str]) -> Iterator[Patch]:
    """Every object and row noted when it is written or removed."""

    def noting(owner: type, name: str, note: Callable[[Any], Iterable[str]]) -> Patch:
        work = getattr(owner, name)

        @wraps(work)
        def noted(adapter: Any, what: Any, *others: Any) -> Any:
            written.update(note(what))
            return work(adapter, what, *others)

        return patch.object(owner, name, noted)

    for name in ("create", "replace", "put"):
        yield noting(FileStorage, name, lambda key: [kind_of(key)])
    yield noting(Change, "upsert", lambda entries: ["row" for _ in entries])
    yield noting(Change, "remove", lambda ids: ["row removed" for _ in ids])


def kind_of(key: str) -> str:
    """What an object is, by its key."""
    *_, folder, name = key.split("/")
    kinds = {"pages": "page", "inventory": "inventory", "manifests": "manifest", "runs": "run report"}
    return kinds.get(folder, name)


def floor(folder: Path) -> dict[str, Any]:
    """Parse the definition and write the bytes that the first release made."""
    path = definition_in(folder)
    begun = time.process_time()
    parse_least(path)
    parse_seconds = time.process_time() - begun
    highest = peak()  # what is written need not be held at once
    stored = [file.read_bytes() for file in sorted((folder / "out" / "storage").rglob("*")) if file.is_file()]
    write_seconds = min(seconds_to_write(stored, folder) for _ in range(3))
    parts = {"parse": parse_seconds, "write": write_seconds}
    return {"peak": highest, "parts": parts, "bytes": sum(map(len, stored))}


def seconds_to_write(stored: Sequence[bytes], folder: Path) -> float:
    """Processor seconds of writing all of them into a fresh folder."""
    with tempfile.TemporaryDirectory(dir=folder) as target:
        begun = time.process_time()
        for number, data in enumerate(stored):
            Path(target, str(number)).write_bytes(data)
        return time.process_time() - begun


def parse_least(path: Path) -> object:
    """The least that reading a definition takes."""
    data = path.read_bytes()
    if path.suffix == ".json":
        return json.loads(data)
    loader = yaml.CSafeLoader(data)
    while not isinstance(loader.get_event(), yaml.StreamEndEvent):
        pass
    return None


def prepare(folder: Path) -> dict[str, Any]:
    """A second definition, in which the summary of one operation is another, if only by a word."""
    path = definition_in(folder)
    data = path.read_bytes()
    change = changed_json if path.suffix == ".json" else changed_yaml
    value = parse(data, path.name)
    for steps, summary in summaries(value):
        changed = change(data.decode("utf-8-sig"), steps, summary)
        if parse(changed.encode(), path.name) != value:  # else its words go over several lines
            (folder / "changed" / path.name).write_text(changed, encoding="utf-8")
            return {"operation": pointer_of(steps)}
    raise SystemExit(f"{path.name}: no operation has a summary on one line that could be changed")


def changed_json(text: str, steps: Sequence[str], summary: str) -> str:
    value = holder = json.loads(text)
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = f"Changed {summary}"
    return json.dumps(value, ensure_ascii=False)


def changed_yaml(text: str, steps: Sequence[str], summary: str) -> str:
    lines = text.splitlines(keepends=True)
    number = locate(text, [pointer_of(steps)])[pointer_of(steps)] - 1
    lines[number] = lines[number].replace(summary, f"Changed {summary}")
    return "".join(lines)


def summaries(value: Any) -> Iterator[tuple[list[str], str]]:
    """Path and text of the summary of each operation."""
    for target, methods in value["paths"].items():
        for method, described in methods.items():
            if isinstance(described, dict) and isinstance(described.get("summary"), str):
                yield ["paths", target, method, "summary"], described["summary"]


def validate(folder: Path) -> dict[str, Any]:
    """The full validator's processor time, which its own process has used."""
    path = definition_in(folder)
    validator = subprocess_validator.SubprocessValidator(folder / "cache", time_limit=600, keeps_verdicts=False)
    verdict = validator.start(path.name, {path.name: path.read_bytes()})()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"children_cpu": used.ru_utime + used.ru_stime, "finished": verdict.finished}


def definition_in(folder: Path) -> Path:
    (path,) = (folder / "given").iterdir()
    return path


def peak() -> float:
    """Megabytes that this process held at most."""
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024  # ru_maxrss counts kilobytes, on macOS bytes
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


CHILDREN: dict[str, Callable[[Path], dict[str, Any]]] = {
    "prepare": prepare,
    "floor": floor,
    "validator": validate,
    **{job: releasing(job) for job in JOBS},
}

if __name__ == "__main__":
    sys.exit(main())
