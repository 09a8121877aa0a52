"""What speaks of another version, and what only looks like it."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanpon.contracts.findings import Place, Severity
from hanpon.contracts.writings import Section, Writing
from hanpon.sources.texts.mention_places import mention_findings, plain_text, writing_mentions
from hanpon.sources.texts.version_mentions import mentions_of_other_versions

LOG = ("log", "共通ログ部品", "common-log")
CUSTOMER = ("customer", "顧客API", "customer-api")


def speaks(text: str, version: str = "3.2", names: tuple[str, ...] = LOG) -> bool:
    return bool(mentions_of_other_versions(text, version, names))


@pytest.mark.parametrize(
    "text",
    [
        "This was added in version 3.1.",
        "Version 2 behaved otherwise.",
        "ver.3.1 では使えません。",
        "Ver 3.1 まで",
        "バージョン 1 では次のとおりです。",
        "バージョン3.1と互換です。",
        "v1 との違い",
        "Unlike v2, this returns a list.",
        "v2 から変わりました。",
        "V2 から変更された点",
        "3.1 から変更された点",
        "3.1で追加された引数",
        "2.x 以前は非推奨",
        "since 3.1",
        "@since 2.0",
        "Deprecated in 3.1, use open().",
        "removed in v4",
        "Upgrading from 2.5 is simple.",
        "We changed it from v1 to v3.2.",
        "log 3.1 を使う",
        "log v2",
        "common log 3.1",
        "共通ログ部品3.1では",
        "共通ログ部品のバージョン3.1",
        "この共通ログ部品 3.1 は",
        "log-3.1.jar",
        "jp.example:log:3.1",
        '"log": "^2.4.0"',
        "log==3.1",
        "log@3.1.4",
        "<artifactId>log</artifactId>\n  <version>3.1</version>",
        "旧版では出力されません。",
        "旧バージョンの動作",
        "以前のバージョンでは",
        "古いバージョンから移行する",
        "In earlier versions this threw.",
        "compatible with previous versions of the library",
        "## Changelog",
        "変更履歴",
        "■ 改訂履歴",
        "Release notes",
        "3. Migration guide",
        "Migrating from v2",
        "What's new",
    ],
)
def test_text_that_speaks_of_another_version_is_found(text: str) -> None:
    assert speaks(text), text
    assert speaks(f"前置き。\n{text}\nあとがき")


@pytest.mark.parametrize(
    "text",
    [
        "Version 3.2 is described here.", "version 3", "v3.2.1", "3.2.0 から変更", "log 3.2", "log-3.2.4.jar",
        "バージョン 3.x", "<artifactId>log</artifactId><version>3.2</version>",
        "HTTP/1.1", "HTTP 1.1 で送る", "TLS 1.2", "TLS version 1.2 or newer", "TLS v1.3", "OpenAPI 3.1", "Java 17",
        "Java バージョン 17", "TLSのバージョン1.2", "Node.js v18", "Python 3.11 から対応",
        "requires Python version 3.11", "IP v4 or v6", 'a version (e.g., "v0.0.1")', "例：v1.2.0", "map[key] = v1",
        "ES2015", "UUID v4", "UUID (v4)", "OAuth v2", "IPv4", "since Java 1.8", "deprecated in OpenAPI 3.0",
        "<artifactId>slf4j</artifactId><version>1.7</version>", "slf4j-log-1.2.jar", "catalog 1.5",
        "/v2/customers", "GET /api/v1/logs", "https://example.com/v1/x", "v2.api.example.com", "apps/v1",
        "apiVersion: v1",
        "works with `parser` version 14", "works with `parser`\nversion 14",
        "version: 2", '"version": "1.0"', "--version 1.2", "actions/checkout@v4",
        "2026-06-17", "since 2015", "2026.06.17 から変更", "3.5 秒", "1.5 MB", "since 1.5 seconds", "log 2.5 GB",
        "第3.1節", "図2.1 で追加", "section 2.4", "see 2.1", "192.168.0.1", "RFC 9110", "ISO 8601", "RFC 2.1 で変更",
        "version 2 of the template", "version 1 of a document", "older versions of Node.js", "LINEの古いバージョン",
        "古いバージョンのLINE", "旧版画", "プロトコル v3", "v1 = load()", "log 2 件", "log 2", "100 から変更",
        "the change log is kept elsewhere", "変更履歴を取得する", "",
    ],
)  # fmt: skip
def test_text_that_only_looks_like_it_is_left_alone(text: str) -> None:
    assert mentions_of_other_versions(text, "3.2", LOG) == ()
    assert mentions_of_other_versions(f"前置き。\n{text}\nあとがき", "3.2", LOG) == ()


def test_an_api_of_one_number_knows_its_neighbours() -> None:
    assert mentions_of_other_versions("v1 の項目は v2 で名前が変わりました。", "v2", CUSTOMER) == (
        "v1 の項目は v2 で名前が変わりました。",
    )
    assert not speaks("GET /v1/customers は v2 の一部です。", "v2", CUSTOMER)
    assert speaks("顧客APIのバージョン1", "v2", CUSTOMER)
    assert not speaks("customer 1 人", "v2", CUSTOMER)


def test_a_version_that_is_a_date_has_only_dates_for_neighbours() -> None:
    names = ("messaging",)
    assert speaks("Since 2025-08-06 the field is required.", "2026-06-17", names)
    assert speaks("version 2025-08-06", "2026-06-17", names)
    assert not speaks("version 2026-06-17", "2026-06-17", names)
    assert not speaks("a date such as 2025-08-06", "2026-06-17", names)
    assert not speaks("version 2.1", "2026-06-17", names)


def test_what_holds_for_every_version_may_speak_of_any() -> None:
    assert mentions_of_other_versions("since 3.1\n## Changelog", "ALL", LOG) == ()


def test_quotes_are_short_and_hold_what_was_found() -> None:
    text = "あ" * 200 + " since 3.1 " + "い" * 200
    (quote,) = mentions_of_other_versions(text, "3.2", LOG)
    assert "since 3.1" in quote
    assert len(quote) <= 60


def test_a_finding_quotes_only_where_it_may() -> None:
    text = "".join(f"since {major}.1\n" for major in (1, 2, 4, 5, 6))
    (finding,) = mention_findings(Place("a.md"), text, "3.2", LOG)
    assert (finding.rule, finding.severity) == ("speaks-of-another-version", Severity.WARNING)
    assert "`since 1.1`, `since 2.1`, `since 4.1` and 2 more" in finding.message
    (unquoted,) = mention_findings(Place("a.md"), text, "3.2", LOG, is_quoted=False)
    assert "1.1" not in unquoted.message


def test_sections_of_a_writing_are_told_at_their_lines() -> None:
    writing = Writing(
        file="README.md",
        sections=(
            Section(level=1, title="共通ログ", html="<p>いまの版</p>", line=1),
            Section(level=2, title="Changelog", html="<ul><li>x</li></ul>", line=7),
            Section(level=2, title="Use", html="<pre><code>log<b>:</b>3.1</code></pre>", line=12),
        ),
    )
    found = writing_mentions(writing, "3.2", LOG)
    assert [(finding.where.file, finding.where.line) for finding in found] == [("README.md", 7), ("README.md", 12)]


def test_plain_text_keeps_words_together_and_blocks_apart() -> None:
    assert plain_text('<p title="a > b">v<b>1</b> &lt;x&gt;</p><p>y</p>').split() == ["v1", "<x>", "y"]


@given(st.text(st.sampled_from("v123. -\nlogversinceから変更/<>:@="), max_size=200))
def test_any_text_has_quotes_of_itself(text: str) -> None:
    for quote in mentions_of_other_versions(text, "3.2", LOG):
        assert 0 < len(quote) <= 60
        assert quote in " ".join(text.split())


@pytest.mark.corpus
def test_operations_of_real_apis_seldom_seem_to_speak_of_another_version(corpus: Path) -> None:
    definition = json.loads(gzip.decompress((corpus / "openapi/github/api.github.com.json.gz").read_bytes()))
    texts = [
        f"{operation.get('summary', '')}\n{operation.get('description', '')}"
        for path in definition["paths"].values()
        for operation in path.values()
    ]
    assert len(texts) == 1223
    assert [text for text in texts if speaks(text, "v4", ("github",))] == []


@pytest.mark.corpus
def test_a_real_change_log_is_found(corpus: Path) -> None:
    text = (corpus / "readmes/textlint-preset-ja/README.md").read_text("utf-8")
    assert "## Changelog" in text
    found = mentions_of_other_versions(text, "12.0.2", ("textlint-rule-preset-ja-technical-writing",))
    assert found == ("- バージョン3.0.0+: 100文字以下", "- バージョン2.0.0以下: 90文字以下", "## Changelog")
