"""How quickly the embedded datastore takes documents in, and answers, over documents made up for it.

    python benchmarks/search_speed.py [DOCUMENTS]

Import is processor time, also as a ratio to the floor of writing the same pages to files. Answers are wall time of
one query at a time, median and 95th percentile, with a light filter (nothing superseded) and a full one (two versions
and what holds for every API); the asker may read about half. Each query names one document, and `found` says how
often it is among the best five: under the light filter other versions of an API have documents of the same title.
"""

import itertools
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hanpon.adapters.sqlite_datastore import SqliteDatastore
from hanpon.contracts.documents import Document, Metadata, identify
from hanpon.contracts.editions import Edition, Kind
from hanpon.contracts.filters import Filter
from hanpon.contracts.manifests import Entry
from hanpon.contracts.search import Query
from hanpon.search.filters import parse_filter
from hanpon.search.targets import target_filter

SEED = 20260401
ENGINEERS, OTHERS = "group:engineers@example.co.jp", "group:crm@example.co.jp"
NOUNS = [
    ("customer", "顧客"), ("order", "注文"), ("invoice", "請求書"), ("payment", "支払い"), ("shipment", "出荷"),
    ("contract", "契約"), ("product", "商品"), ("warehouse", "倉庫"), ("supplier", "仕入先"), ("employee", "従業員"),
    ("ticket", "問い合わせ"), ("coupon", "クーポン"), ("campaign", "販促"), ("address", "住所"), ("return", "返品"),
    ("account", "口座"), ("report", "帳票"), ("device", "端末"), ("schedule", "予定"), ("license", "許諾"),
]  # fmt: skip
PARTS = [
    ("history", "履歴"), ("status", "状態"), ("note", "備考"), ("contact", "連絡先"), ("item", "明細"),
    ("lock", "施錠"),
    ("audit", "監査"), ("limit", "上限"), ("preference", "設定"), ("attachment", "添付ファイル"), ("tag", "分類"),
]  # fmt: skip
DEEDS = [
    ("GET", "list", "一覧を取得する"), ("GET", "get", "一件を取得する"), ("POST", "create", "登録する"),
    ("PUT", "replace", "置き換える"), ("PATCH", "update", "一部を更新する"), ("DELETE", "remove", "削除する"),
]  # fmt: skip
DETAILS = [
    (
        "The answer is paged; give the page token of the former answer.",
        "結果は頁に分かれ、前回の応答の続き番号を渡す。",
    ),
    ("Withdrawn entries are left out unless asked for.", "退会済みのものは、指定がなければ含めない。"),
    (
        "An unknown key is answered with 404 and error code NOT_FOUND.",
        "鍵が存在しない場合は 404 と NOT_FOUND を返す。",
    ),
    ("Requests beyond 100 a minute are refused with 429.", "一分間に百回を超える要求は 429 で拒否される。"),
    ("The caller needs the scope that its team was given.", "呼び出し側には部署ごとに与えられた権限が必要になる。"),
    ("Amounts are integers in the smallest unit of the currency.", "金額は通貨の最小単位の整数で表す。"),
    ("Times are UTC, written as RFC 3339 says.", "日時は協定世界時とし、RFC 3339 の形で書く。"),
    ("Sending the same idempotency key again repeats nothing.", "同じ冪等キーで再送しても処理は繰り返されない。"),
]
FULL = '(api: ANY("{0}", "{1}", "COMMON")) AND api_version: ANY("v1", "v2", "ALL") AND superseded: ANY("false")'


@dataclass(frozen=True, slots=True)
class Sample:
    """A document, and a query that names it."""

    document: Document
    query: str


def samples(count: int) -> Iterator[Sample]:
    """Operations of made-up APIs, two of three in Japanese; nothing depends on chance but by the seed."""
    chance = random.Random(SEED)
    kinds = list(itertools.product(NOUNS, PARTS, DEEDS))
    numbered = ((version, *kind) for version in itertools.count(1) for kind in kinds)
    for (version, noun, part, deed), _ in zip(numbered, range(count), strict=False):
        yield sample(version, noun, part, deed, chance)


def sample(
    version: int, noun: tuple[str, str], part: tuple[str, str], deed: tuple[str, str, str], chance: random.Random
) -> Sample:
    japanese = chance.random() < 2 / 3
    edition = Edition(Kind.API, f"{noun[0]}-{(version - 1) // 4}", f"v{1 + version % 4}")
    method, verb, verb_ja = deed
    one = "" if verb in {"list", "create"} else f"/{{{part[0]}Id}}"
    path = f"/v{version}/{noun[0]}s/{{{noun[0]}Id}}/{part[0]}{one}"
    title = f"{noun[1]}の{part[1]}を{verb_ja}" if japanese else f"{verb} {part[0]} of a {noun[0]}".capitalize()
    said = [detail[japanese] for detail in chance.sample(DETAILS, 4)]
    fields = [f"{noun[0]}{name.capitalize()}{chance.randrange(50)}" for name, _ in chance.sample(PARTS, 5)]
    rows = "".join(f"<tr><td><code>{field}</code></td><td>string</td><td>{said[0]}</td></tr>" for field in fields)
    content = (
        f"<!doctype html><head><title>{title}</title></head><body><main><h1>{method} {path}</h1><p>{title}</p>"
        f"<h2 id='description'>Description</h2><p>{said[0]} {said[1]}</p>"
        f"<h2 id='response'>Response 200</h2><table><tr><th>Name<th>Type<th>Text</tr>{rows}</table>"
        f"<h2 id='errors'>Errors</h2><p>{said[2]}</p><p>{said[3]}</p></main></body>"
    )
    identifier, slug = identify(edition, "api_spec", f"{method} {path}")
    readers = (chance.choice([ENGINEERS, OTHERS]),)
    metadata = Metadata(
        title=title,
        doc_type="api_spec",
        api=edition.name,
        api_version=edition.version,
        version_rank=version,
        superseded=chance.choice(["true", "false", "false"]),
        owner="platform-team",
        language="ja" if japanese else "en",
        section=f"{method} {path}",
        method=method,
        path=path,
        operation_id=f"{verb}{noun[0].capitalize()}{part[0].capitalize()}",
        groups=readers,
        source=f"{edition.name}.yaml#/paths/{path}",
    )
    query = chance.choice([title, f"{method} {path}", f"{title} {said[2]}", f"{noun[japanese]} {part[japanese]}"])
    document = Document(
        id=identifier, slug=slug, edition=edition, metadata=metadata, readers=readers, content=content.encode()
    )
    return Sample(document, query)


def fill(datastore: SqliteDatastore, documents: list[Document]) -> float:
    """Processor seconds of importing all documents, edition by edition."""
    start = time.process_time()
    for edition, group in itertools.groupby(documents, key=lambda document: document.edition):
        members = list(group)
        content = {document.id: document.content for document in members}
        with datastore.change(edition) as change:
            change.upsert([Entry.of(document) for document in members], lambda entry: content[entry.id])  # noqa: B023
            change.commit()
    return time.process_time() - start


def write(folder: Path, documents: list[Document]) -> float:
    """Processor seconds of the floor."""
    start = time.process_time()
    for document in documents:
        (folder / document.id).write_bytes(document.content)
    return time.process_time() - start


def ask(datastore: SqliteDatastore, asked: list[Sample], full: bool) -> tuple[list[float], int]:  # noqa: FBT001
    """Milliseconds of every query, and how many found what they name among the best five."""
    times, found = [], 0
    for sample in asked:
        query = Query(text=sample.query, filter=filter_for(sample, full), principals=(ENGINEERS,), limit=5)
        start = time.perf_counter()
        hits = datastore.search(query)
        times.append((time.perf_counter() - start) * 1000)
        found += any(hit.id == sample.document.id for hit in hits)
    return times, found


def filter_for(sample: Sample, full: bool) -> Filter:  # noqa: FBT001
    edition = sample.document.edition
    return target_filter([str(edition), "order-0@v2"]) if full else parse_filter('superseded: ANY("false")')


def main() -> None:
    """Print the figures."""
    made = list(samples(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
    documents = sorted((sample.document for sample in made), key=lambda document: (document.edition, document.id))
    wanted = [s for s in made if ENGINEERS in s.document.readers and s.document.metadata.superseded == "false"]
    asked = random.Random(SEED).sample(wanted, min(200, len(wanted)))
    with tempfile.TemporaryDirectory() as folder:
        floor = write(Path(folder), documents)
        path = Path(folder) / "hanpon.db"
        datastore = SqliteDatastore(path)
        seconds = fill(datastore, documents)
        size = path.stat().st_size
        text = sum(len(document.content) for document in documents)
        print(f"{len(documents)} documents, {text / 1e6:.1f} MB of pages; database {size / text:.1f} times that")
        print(f"import {seconds:.1f} s CPU, {seconds / floor:.1f} x writing the pages to files ({floor:.2f} s)")
        for name, full in (("light", False), ("full", True)):
            times, found = ask(datastore, asked, full)
            median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            print(f"{name:6} filter: p50 {median:.1f} ms, p95 {late:.1f} ms; found {found} of {len(asked)}")
        start = time.process_time()
        datastore.rows(documents[0].edition)
        print(f"rows of one edition {time.process_time() - start:.3f} s CPU")
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024  # ru_maxrss counts kilobytes, on macOS bytes
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:.0f} MB")


if __name__ == "__main__":
    main()
