"""How well the embedded datastore finds what a person asks for, in real definitions, guidelines and answers.

    python benchmarks/search_recall.py [CORPUS] [--keep FOLDER] [--questions FILE] [--misses]

CORPUS (or HANPON_CORPUS) is a folder of public definitions, READMEs, guidelines and answers; where it is not there,
this says so and ends well. The corpus and the example bundle are released, as a team would, into FOLDER (else into a
temporary one), which a later run uses again: its pages stay as they are, rows are made anew where the form of
the database has changed. `search_questions.json` says what is asked, and which documents answer it.

Printed are recall at 1, 5 and 10 and the mean reciprocal rank by language and by kind of question, then the time of a
query under four filters; `--misses` adds what came first where the answer is not among the first five.
`docs/search-figures.md` keeps figures of one day and says what they teach.
"""

import argparse
import gzip
import json
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

from hanpon.contracts.filters import Filter
from hanpon.contracts.search import Hit, Query
from hanpon.search.filters import parse_filter
from hanpon.search.targets import default_filter, target_filter
from hanpon.wiring import ReleaseFlags, Settings, open_datastore, rebuild_of, release_of

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "shop-platform"

EVERYBODY = "group:engineers@example.co.jp"
IOT, PAYMENTS, PLATFORM = "group:iot@example.co.jp", "group:payments@example.co.jp", "group:platform@example.co.jp"
ASKER = (EVERYBODY, "group:engineers@shop.example", "group:crm@shop.example")
"""Who asks the questions: an engineer who may read all but what the example keeps for its finance team."""

DAYS_OF_LINE, DAYS_OF_FREEE = ("2025-08-06", "2025-11-07", "2026-06-18"), ("2025-05-22", "2026-01-20", "2026-08-19")
PARTS_OF_LINE = ("channel-access-token", "liff", "manage-audience", "webhook")

Definition = tuple[str, str, str, str, str]
"""Name, version, root file below `openapi`, readers beside everybody, language."""

DEFINITIONS: list[Definition] = [
    ("github", "23.0.2", "github/api.github.com.json.gz", PLATFORM, "en"),
    *(("ghes", f"3.{minor}", f"github/ghes-3.{minor}.json.gz", PLATFORM, "en") for minor in (17, 18, 19)),
    *(
        ("kubernetes", day, f"kubernetes-2.0/{day}/swagger.json.gz", PLATFORM, "en")
        for day in ("2025-12-30", "2026-05-05")
    ),
    *(("stripe", tag, f"stripe/{tag}/spec3.yaml", PAYMENTS, "en") for tag in ("v61", "v121", "v241")),
    *(("freee", day, f"freee-accounting/{day}/api-schema.json", PAYMENTS, "ja") for day in DAYS_OF_FREEE),
    *(("soracom", day, f"soracom/{day}/soracom-api.ja.yaml.gz", IOT, "ja") for day in ("2025-09-05", "2026-06-17")),
    ("soracom-en", "2026-06-17", "soracom/2026-06-17/soracom-api.en.yaml.gz", IOT, "en"),
    *(("line-messaging", day, f"line/{day}/messaging-api.yml", IOT, "en") for day in DAYS_OF_LINE),
    *(("line-insight", day, f"line/{day}/insight.yml", IOT, "en") for day in ("2025-11-07", "2026-07-01")),
    *((f"line-{part}", "2026-07-01", f"line/2026-07-01/{part}.yml", IOT, "en") for part in PARTS_OF_LINE),
    *(
        ("digitalocean", day, f"digitalocean-multifile/{day}/DigitalOcean-public.v2.yaml", PLATFORM, "en")
        for day in ("2025-06-30", "2026-08-07")
    ),
    *((name, "v1", f"redocly/{name}.yaml", PAYMENTS, "en") for name in ("cafe", "museum", "pets")),
    ("cafe-split", "v1", "redocly/cafe-split/cafe.yaml", PAYMENTS, "en"),
]

SEVERAL_FILES = {"digitalocean", "cafe-split"}

LIBRARY_VERSIONS = {"cobra": "1.10.2", "kotlin-result": "2.3.1", "ky": "2.0.2", "structlog": "25.5.0"}
LATENCY_ROUNDS = 3
FOUND_WITHIN = 5
THREE_CONDITIONS = 'doc_type: ANY("api_spec", "guideline") AND language: ANY("{0}") AND superseded: ANY("false")'


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, and which documents answer it: any one of them is as good.

    `expected` are an edition and a section, title or source of `hanpon search`, each with `*` for any text; `hard`
    says that the page hardly has the words of the question.
    """

    text: str
    language: str
    kind: str
    targets: tuple[str, ...]
    expected: tuple[tuple[str, str], ...]
    hard: bool
    second: bool
    """Written after others had been asked: what ranking was chosen by those, these judge."""

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> "Question":
        targets = tuple(record.get("targets", ()))
        expected = tuple((edition, section) for edition, section in record["expected"])
        return cls(
            text=record["text"],
            language=record["language"],
            kind=record["kind"],
            targets=targets,
            expected=expected,
            hard=record.get("hard", False),
            second=record.get("second", False),
        )

    @property
    def filter(self) -> Filter:
        return target_filter(self.targets) if self.targets else default_filter()

    def is_answered_by(self, edition: str, *names: str) -> bool:
        return any(
            _is_like(edition, wanted) and any(_is_like(name, pattern) for name in names)
            for wanted, pattern in self.expected
        )


def _is_like(text: str, pattern: str) -> bool:
    """Whether a text is as the pattern says: only `*` has a meaning in it."""
    return fnmatchcase(text, pattern.replace("[", "[[]").replace("?", "[?]"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, its hits, and the rank of the first that answers it; 0 where none of them does."""

    question: Question
    hits: tuple[Hit, ...]
    rank: int


class Silence:
    """Shows nothing."""

    def step(self, *_: object) -> None:
        return


# --- the bundle ---------------------------------------------------------------------------------------------------


def make_bundle(corpus: Path, bundle: Path) -> None:
    """A folder with everything of the corpus that hanpon publishes, and its hanpon.yaml."""
    bundle.mkdir(parents=True)
    items = [item for items_of in (_apis, _components, _guidelines, _answers) for item in items_of(corpus, bundle)]
    described = {"owner": "platform-team", "readers": [EVERYBODY], "language": "ja", "items": items}
    (bundle / "hanpon.yaml").write_text(yaml.safe_dump(described, allow_unicode=True, sort_keys=False), "utf-8")


def _apis(corpus: Path, bundle: Path) -> Iterator[dict[str, Any]]:
    for name, version, root, readers, language in [*DEFINITIONS, *_small_definitions(corpus / "openapi")]:
        source = corpus / "openapi" / root
        if not source.is_file():
            continue
        folder = bundle / "apis" / name / version
        file = folder / source.name.removesuffix(".gz")
        if name in SEVERAL_FILES:
            shutil.copytree(source.parent, folder)
        else:
            folder.mkdir(parents=True)
            data = source.read_bytes()
            file.write_bytes(gzip.decompress(data) if source.suffix == ".gz" else data)
        yield {
            "kind": "api",
            "name": name,
            "version": version,
            "definition": file.relative_to(bundle).as_posix(),
            "language": language,
            "readers": [EVERYBODY, readers],
        }


def _small_definitions(folder: Path) -> Iterator[Definition]:
    for file in sorted((folder / "oai-examples").rglob("*.yaml")):
        name = "-".join(file.relative_to(folder / "oai-examples").with_suffix("").parts)
        yield f"oai-{name}", "v1", file.relative_to(folder).as_posix(), PAYMENTS, "en"


def _components(corpus: Path, bundle: Path) -> Iterator[dict[str, Any]]:
    for source in _folders(corpus / "readmes"):
        name = source.name
        shutil.copytree(source, bundle / "readmes" / name)
        yield {
            "kind": "component",
            "name": f"{name}-readme" if name in SEVERAL_FILES else name,  # an API has the name already
            "version": LIBRARY_VERSIONS.get(name, "1.0"),
            "readme": [f"readmes/{name}/**/*.md"],
        }


def _guidelines(corpus: Path, bundle: Path) -> Iterator[dict[str, Any]]:
    for source in _folders(corpus / "guidelines"):
        files = sorted(source.rglob("*.md"))
        for file in files:
            copy = bundle / "guidelines" / source.name / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        dated = sorted({file.relative_to(source).parts[0] for file in files if file.parent != source})
        for version in dated or [""]:
            below = f"guidelines/{source.name}/{version}/**/*.md" if version else f"guidelines/{source.name}/*.md"
            item: dict[str, Any] = {"kind": "guideline", "name": source.name, "title": source.name, "files": [below]}
            if files:
                yield item | ({"version": version} if version else {})


def _answers(corpus: Path, bundle: Path) -> Iterator[dict[str, Any]]:
    if (corpus / "qa").is_dir():
        shutil.copytree(corpus / "qa", bundle / "qa")
        yield {"kind": "answers", "name": "qa", "files": ["qa/*.jsonl"]}


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


# --- releasing ----------------------------------------------------------------------------------------------------


def prepare(corpus: Path, folder: Path) -> dict[str, Any]:
    """Release the corpus and the example into the folder where that is not done; what it took, and how much it is."""
    kept = folder / "prepared.json"
    settings = _settings(folder)
    if not kept.is_file():
        shutil.rmtree(folder / "corpus", ignore_errors=True)
        make_bundle(corpus, folder / "corpus")
        start = time.process_time()
        for bundle in (folder / "corpus", EXAMPLE):
            report = release_of(bundle, ReleaseFlags(validation="report"), settings, Silence())()
            for edition in report.editions:
                if edition.status not in {"published", "unchanged"}:
                    print(f"not published: {edition.edition}", file=sys.stderr)
        kept.write_text(json.dumps({"release_cpu": time.process_time() - start}))
        for file in folder.glob("hanpon.db*"):
            file.unlink()  # the rebuild below says what rows alone take
    taken: dict[str, Any] = json.loads(kept.read_text())
    start = time.process_time()
    rebuilt = rebuild_of(settings, Silence(), dry_run=False, wait=0)()
    if rebuilt.renewed or any(edition.written for edition in rebuilt.editions):
        taken["import_cpu"] = time.process_time() - start
        kept.write_text(json.dumps(taken))
    return taken | _sizes(folder / "hanpon.db")


def _settings(folder: Path) -> Settings:
    # A second is too short for the full validator of the large definitions: its verdict finds nothing for anybody.
    return Settings(
        storage=f"file:{folder / 'storage'}",
        datastore=f"sqlite:{folder / 'hanpon.db'}",
        cache=folder / "cache",
        validator_timeout=1,
        keep=5,
    )


def unanswerable(database: Path, questions: Sequence[Question]) -> Iterator[Question]:
    """Questions of which no document is as expected: the corpus is another, or the question is wrong."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT name || '@' || version, metadata FROM document").fetchall()
    documents = [(edition, *names_of(json.loads(metadata))) for edition, metadata in rows]
    for question in questions:
        if not any(question.is_answered_by(*document) for document in documents):
            yield question


def _sizes(database: Path) -> dict[str, int]:
    with closing(sqlite3.connect(database)) as connection:
        counts = {
            f"{table}s": connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("document", "piece")
        }
    return counts | {"bytes": database.stat().st_size}


# --- asking -------------------------------------------------------------------------------------------------------

Search = Callable[[Query], Sequence[Hit]]


def ask(search: Search, question: Question) -> Asked:
    """The first ten hits of a question, as the bot would ask it."""
    hits = tuple(search(Query(text=question.text, filter=question.filter, principals=ASKER, limit=10)))
    answers = [question.is_answered_by(edition_of(hit), *names_of(hit.metadata)) for hit in hits]
    return Asked(question=question, hits=hits, rank=answers.index(True) + 1 if True in answers else 0)


def names_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(metadata[field]) for field in ("section", "title", "source"))


def edition_of(hit: Hit) -> str:
    _, name, version, *_ = hit.key.split("/")
    return f"{name}@{version}"


def table_of(asked: Sequence[Asked]) -> Iterator[str]:
    """Recall by group, one line each."""
    yield "| questions | number | recall@1 | recall@5 | recall@10 | MRR |"
    yield "|---|---|---|---|---|---|"
    plain = [one for one in asked if not one.question.hard]
    groups = {
        "all": list(asked),
        "all but the hard ones": plain,
        "hard": [one for one in asked if one.question.hard],
        "the first questions": [one for one in asked if not one.question.second],
        "the second ones": [one for one in asked if one.question.second],
        "Japanese, not hard": [one for one in plain if one.question.language == "ja"],
        "English and identifiers, not hard": [one for one in plain if one.question.language == "en"],
        "with a target": [one for one in asked if one.question.targets],
        "without a target": [one for one in asked if not one.question.targets],
    }
    for kind in dict.fromkeys(one.question.kind for one in asked):
        groups[f"kind: {kind}"] = [one for one in asked if one.question.kind == kind]
    for name, group in groups.items():
        if group:
            cells = [f"{_recall(group, most):.0%}" for most in (1, FOUND_WITHIN, 10)]
            yield " | ".join([f"| {name}", str(len(group)), *cells, f"{_reciprocal(group):.2f} |"])


def _recall(group: Sequence[Asked], most: int) -> float:
    return sum(0 < one.rank <= most for one in group) / len(group)


def _reciprocal(group: Sequence[Asked]) -> float:
    return sum(1 / one.rank for one in group if one.rank) / len(group)


def misses_of(asked: Sequence[Asked]) -> Iterator[str]:
    """What is not answered among the first five, and what came first instead."""
    for one in asked:
        if not 0 < one.rank <= FOUND_WITHIN:
            hard = ", hard" if one.question.hard else ""
            wanted = ", ".join(" ".join(pair) for pair in one.question.expected)
            yield f"- {one.question.text} ({one.question.kind}{hard})"
            yield f"    rank {one.rank or 'beyond 10'}, wanted {wanted}"
            yield from (f"    {edition_of(hit)} {hit.section}" for hit in one.hits[:3])


def times_of(search: Search, questions: Sequence[Question]) -> Iterator[str]:
    """Milliseconds of a query, wall and processor, under several filters."""
    yield "| filter | asked by | wall p50 | wall p95 | CPU p50 | CPU p95 |"
    yield "|---|---|---|---|---|---|"
    nearly_all, one_group = ("who may read nearly all", ASKER), ("one group of five", (IOT,))
    for (asker, principals), name, filter_for in (
        (nearly_all, "none", lambda _: None),
        (nearly_all, "nothing superseded", lambda _: default_filter()),
        (nearly_all, "a target", lambda question: target_filter(_target_of(question))),
        (nearly_all, "three conditions", lambda question: parse_filter(THREE_CONDITIONS.format(question.language))),
        (one_group, "nothing superseded", lambda _: default_filter()),
        (one_group, "a target", lambda question: target_filter(_target_of(question))),
    ):
        walls, cpus = [], []
        for _ in range(LATENCY_ROUNDS):
            for question in questions:
                query = Query(text=question.text, filter=filter_for(question), principals=principals, limit=10)
                wall, cpu = time.perf_counter(), time.process_time()
                search(query)
                walls.append((time.perf_counter() - wall) * 1000)
                cpus.append((time.process_time() - cpu) * 1000)
        cells = [f"{figure:.0f} ms" for times in (walls, cpus) for figure in _middle_and_late(times)]
        yield " | ".join([f"| {name}", asker, *cells]) + " |"


def _target_of(question: Question) -> tuple[str, ...]:
    """The question's own targets; else the edition that answers it."""
    if question.targets:
        return question.targets
    edition, _ = question.expected[0]
    exact = "*" not in edition and "ALL" not in edition
    return (edition,) if exact else ("github@23.0.2",)


def _middle_and_late(times: Sequence[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", nargs="?", default=os.environ.get("HANPON_CORPUS", ""))
    parser.add_argument("--keep", type=Path, help="a folder for what is released; a later run uses it again")
    parser.add_argument("--questions", type=Path, default=HERE / "search_questions.json")
    parser.add_argument("--misses", action="store_true", help="print what came first where the answer did not")
    options = parser.parse_args()
    corpus = Path(options.corpus)
    if not options.corpus or not (corpus / "openapi").is_dir():
        print("no corpus: give its folder as an argument or in HANPON_CORPUS")
        return
    questions = [Question.of(record) for record in json.loads(options.questions.read_text("utf-8"))["questions"]]
    with tempfile.TemporaryDirectory() as scratch:
        report(corpus, (options.keep or Path(scratch)).absolute(), questions, misses=options.misses)


def report(corpus: Path, folder: Path, questions: Sequence[Question], *, misses: bool) -> None:
    """Prepare what is searched, ask everything, and print."""
    prepared = prepare(corpus, folder)
    search = open_datastore(_settings(folder)).search
    print(
        f"{prepared['documents']} documents, {prepared['pieces']} pieces, database {prepared['bytes'] / 1e6:.0f} MB"
    )
    print(f"release {prepared['release_cpu']:.0f} s CPU; rows alone {prepared.get('import_cpu', 0):.0f} s CPU")
    for question in unanswerable(folder / "hanpon.db", questions):
        print(f"no document is as expected: {question.text} {question.expected}", file=sys.stderr)
    asked = [ask(search, question) for question in questions]
    print("\n" + "\n".join(table_of(asked)))
    if misses:
        print("\nnot among the first five:\n" + "\n".join(misses_of(asked)))
    print("\n" + "\n".join(times_of(search, questions)))


if __name__ == "__main__":
    main()
