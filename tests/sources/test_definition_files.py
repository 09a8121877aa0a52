"""Definitions of one file and of many: what a reference leads to, and where it may not lead."""

import json
import re

import pytest
import yaml

from hanpon.contracts.definitions import UnresolvedReference
from hanpon.contracts.digests import digest_of
from hanpon.contracts.errors import InvalidInput, Missing, Unavailable
from hanpon.contracts.findings import Finding, Place, Severity
from hanpon.sources.definitions.checks import check_definition
from hanpon.sources.definitions.files import MAX_CHAIN, DefinitionFiles, open_definition
from hanpon.sources.texts.inputs import is_as_remembered
from tests.trees import MemoryTree

HEAD = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths: {}\n"


def definition(root: str, files: dict[str, str] | None = None, path: str = "api/root.yaml") -> DefinitionFiles:
    return open_definition(MemoryTree({path: root, **(files or {})}), path)


def target(root: str, files: dict[str, str] | None = None, *, at: str = "x") -> str:
    """The identity of what the reference under a key of the root leads to at last."""
    opened = definition(root, files)
    return opened.follow(opened.root.child(at)).identity


def failure(root: str, files: dict[str, str] | None = None, *, at: str = "x") -> UnresolvedReference:
    opened = definition(root, files)
    with pytest.raises(UnresolvedReference) as caught:
        opened.follow(opened.root.child(at))
    return caught.value


@pytest.mark.parametrize(
    ("reference", "identity"),
    [
        ("#/components/schemas/A", "api/root.yaml#/components/schemas/A"),
        ("root.yaml#/components/schemas/A", "api/root.yaml#/components/schemas/A"),
        ("./root.yaml#/components/schemas/A", "api/root.yaml#/components/schemas/A"),
        ("../api/root.yaml#/components/schemas/A", "api/root.yaml#/components/schemas/A"),
        ("%72oot.yaml#/components/schemas/A", "api/root.yaml#/components/schemas/A"),
        ("#/components/schemas/ns%3A%3AB", "api/root.yaml#/components/schemas/ns::B"),
        ("#/components/schemas/a~1b~0c", "api/root.yaml#/components/schemas/a~1b~0c"),
        ("#/components/schemas/100%", "api/root.yaml#/components/schemas/100%"),
        ("#/components/schemas/100%25", "api/root.yaml#/components/schemas/100%"),
        ("#/list/1", "api/root.yaml#/list/1"),
        ("other.yaml", "api/other.yaml#"),
        ("other.yaml#", "api/other.yaml#"),
        ("other.yaml#/", "api/other.yaml#/"),
        ("../top.yaml#/a", "top.yaml#/a"),
        ("sub/../other.yaml#/p/~1%7Bid%7D", "api/other.yaml#/p/~1{id}"),
        ("other.yaml#/p/~1{id}", "api/other.yaml#/p/~1{id}"),
        ("%E9%A1%A7%E5%AE%A2.yaml", "api/顧客.yaml#"),
        ("顧客.yaml", "api/顧客.yaml#"),
        ("a%20b.yaml", "api/a b.yaml#"),
        ("100%25.yaml", "api/100%.yaml#"),
        ("ガ.yaml", "api/ガ.yaml#"),
    ],
)
def test_a_reference_leads_to_one_identity_however_it_is_written(reference: str, identity: str) -> None:
    root = (
        HEAD
        + "list: [a, {type: string}]\ncomponents: {schemas: {A: {}, 'ns::B': {}, a/b~c: {}, 100%: {}}}\n"
        + f"x: {{$ref: '{reference}'}}\n"
    )
    files = {
        "api/other.yaml": "p: {'/{id}': {}}\n'': {}",
        "top.yaml": "a: {}",
        "api/顧客.yaml": "a: 1",
        "api/a b.yaml": "a: 1",
        "api/100%.yaml": "a: 1",
        "api/ガ.yaml": "a: 1",
    }
    assert target(root, files) == identity


def test_the_base_of_a_reference_is_the_file_in_which_it_stands() -> None:
    files = {
        "api/sub/paths.yaml": "home: {schema: {$ref: '../types.yaml#/Item'}}",
        "api/types.yaml": "Item: {$ref: '#/Real'}\nReal: {type: string}",
    }
    opened = definition(HEAD + "Real: {type: integer}\nx: {$ref: ./sub/paths.yaml#/home}\n", files)
    home = opened.follow(opened.root.child("x"))
    assert opened.follow(home.child("schema")).identity == "api/types.yaml#/Real"


def test_a_child_file_that_points_back_to_its_parent_meets_the_same_identity() -> None:
    files = {"api/sub/child.yaml": "up: {$ref: '../root.yaml#/components/schemas/P'}"}
    opened = definition(HEAD + "components: {schemas: {P: {}}}\nx: {$ref: sub/child.yaml}\n", files)
    child = opened.follow(opened.root.child("x"))
    assert opened.follow(child.child("up")).identity == "api/root.yaml#/components/schemas/P"


@pytest.mark.parametrize(
    ("reference", "rule"),
    [
        ("/etc/passwd", "reference-outside-bundle"),
        ("file:///etc/passwd", "reference-outside-bundle"),
        ("FILE:/etc/passwd", "reference-outside-bundle"),
        ("../../etc/passwd", "reference-outside-bundle"),
        ("..", "reference-dangling"),
        ("../..", "reference-outside-bundle"),
        ("%2e%2e/%2e%2e/etc/passwd", "reference-outside-bundle"),
        ("..%2F..%2Fetc%2Fpasswd", "reference-outside-bundle"),
        ("%2Fetc%2Fpasswd", "reference-outside-bundle"),
        ("http://127.0.0.1/x.json#/A", "reference-remote"),
        ("https://example.com/x.json", "reference-remote"),
        ("//example.com/x.json", "reference-remote"),
        ("ftp://example.com/x", "reference-remote"),
        ("urn:example:x", "reference-remote"),
        ("C:/x.yaml", "reference-remote"),
        ("http://[x", "reference-remote"),
        ("linked.yaml#/a", "reference-outside-bundle"),
        ("folder/x.yaml", "reference-outside-bundle"),
        ("none.yaml", "reference-dangling"),
        ("none%00.yaml", "reference-dangling"),
        ("#/none", "reference-dangling"),
        ("#/list/5", "reference-dangling"),
        ("#/list/00", "reference-dangling"),
        ("#/list/-1", "reference-dangling"),
        ("#/list/99999999999999999999999999", "reference-dangling"),
        ("#/info/title/x", "reference-dangling"),
        ("#no-such-anchor", "reference-dangling"),
        ("broken.yaml#/a", "reference-unreadable"),
        ("notes.md", "reference-unreadable"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused_by_its_rule(reference: str, rule: str) -> None:
    tree = MemoryTree(
        {
            "api/root.yaml": HEAD + f"list: [1]\nx: {{$ref: '{reference}'}}\n",
            "api/broken.yaml": "a: [",
            "api/notes.md": "# Notes: a\n\n- [x] b: c: d\n\t",
        },
        links=["api/linked.yaml", "api/folder"],
    )
    opened = open_definition(tree, "api/root.yaml")
    with pytest.raises(UnresolvedReference) as caught:
        opened.follow(opened.root.child("x"))
    assert (caught.value.rule, str(caught.value.where)) == (rule, "api/root.yaml#/x")
    assert set(tree.reads) <= {"api/root.yaml", "api/broken.yaml", "api/notes.md"}


def test_a_dangling_reference_names_the_nearest_name() -> None:
    schemas = "components: {schemas: {Customer: {}, Order: {}}}\n"
    failed = failure(HEAD + schemas + "x: {$ref: '#/components/schemas/customr'}\n")
    assert failed.reason == "there is no `customr` at `/components/schemas`; did you mean `Customer`?"


def test_a_missing_file_names_the_nearest_file() -> None:
    failed = failure(HEAD + "x: {$ref: type.yaml}\n", {"api/types.yaml": "a: 1"})
    assert "did you mean `api/types.yaml`?" in failed.reason


def test_what_was_looked_for_in_vain_is_remembered() -> None:
    opened = definition(HEAD + "x: {$ref: none.yaml}\n")
    with pytest.raises(UnresolvedReference):
        opened.follow(opened.root.child("x"))
    assert opened.inputs["api/none.yaml"] == ""


@pytest.mark.parametrize("loop", ["x: {$ref: '#/x'}", "x: {$ref: '#/y'}\ny: {$ref: '#/x'}", "x: {$ref: b.yaml#/c}"])
def test_references_that_lead_to_one_another_alone_are_a_loop(loop: str) -> None:
    assert failure(HEAD + loop, {"api/b.yaml": "c: {$ref: root.yaml#/x}"}).rule == "reference-loop"


def test_a_chain_of_references_has_an_end() -> None:
    chain = "".join(f"x{i}: {{$ref: '#/x{i + 1}'}}\n" for i in range(MAX_CHAIN + 2))
    assert failure(HEAD + chain + f"x{MAX_CHAIN + 2}: {{}}\n", at="x0").rule == "reference-chain"
    assert target(HEAD + chain + f"x{MAX_CHAIN + 2}: {{}}\n", at="x3").endswith(f"#/x{MAX_CHAIN + 2}")


def test_what_is_no_text_under_ref_is_no_reference() -> None:
    opened = definition(HEAD + "x: {$ref: {type: string}}\n")
    assert opened.follow(opened.root.child("x")).identity == "api/root.yaml#/x"


def test_each_file_is_read_once_and_only_when_a_reference_leads_there() -> None:
    root = HEAD + "x: {$ref: b.yaml#/p}\ny: {$ref: b.yaml#/q}\n"
    tree = MemoryTree({"a.yaml": root, "b.yaml": "p: {}\nq: {}", "c.yaml": "{"})
    opened = open_definition(tree, "a.yaml")
    assert set(opened.files) == {"a.yaml"}
    opened.follow(opened.root.child("x"))
    opened.follow(opened.root.child("y"))
    assert tree.reads == ["a.yaml", "b.yaml"]
    assert opened.files == {path: digest_of(data) for path, data in opened.contents.items()}


def test_a_file_that_cannot_be_read_counts_as_an_input_all_the_same() -> None:
    opened = definition(HEAD + "x: {$ref: b.yaml}\n", {"api/b.yaml": "a: ["})
    with pytest.raises(UnresolvedReference):
        opened.follow(opened.root.child("x"))
    assert set(opened.files) == {"api/root.yaml", "api/b.yaml"}
    assert [found.rule for found in opened.unreadable["api/b.yaml"]] == ["yaml-syntax"]


def test_a_file_too_large_is_refused_before_it_is_read() -> None:
    tree = MemoryTree({"a.yaml": HEAD + "x: {$ref: b.yaml}\n", "b.yaml": "a: 1"}, sizes={"b.yaml": 100_000_000})
    opened = open_definition(tree, "a.yaml")
    with pytest.raises(UnresolvedReference, match="cannot be read"):
        opened.follow(opened.root.child("x"))
    assert opened.unreadable["b.yaml"][0].rule == "too-large"
    assert tree.reads == ["a.yaml"]
    with pytest.raises(InvalidInput, match="too-large"):
        open_definition(MemoryTree({"b.yaml": HEAD}, sizes={"b.yaml": 100_000_000}), "b.yaml")


def test_a_root_that_is_not_there_is_missing() -> None:
    with pytest.raises(Missing):
        open_definition(MemoryTree({}), "a.yaml")


def test_anchors_and_ids_lead_inside_the_bundle() -> None:
    root = HEAD.replace("3.0.3", "3.1.0") + (
        "x: {$ref: '#customer'}\n"
        "y: {$ref: 'https://example.com/schemas/order.json#/properties/n'}\n"
        "z: {$ref: 'other.yaml#point'}\n"
        "components:\n"
        "  schemas:\n"
        "    A: {$anchor: customer, type: string}\n"
        "    B:\n"
        "      $id: https://example.com/schemas/order.json\n"
        "      properties: {n: {type: integer}, m: {$ref: '#/properties/n'}, o: {$ref: line.json},\n"
        "        p: {$ref: '#/components/schemas/A'}, example: {$ref: '#/properties/n'}}\n"
        "    C: {$id: https://example.com/schemas/line.json, type: object}\n"
    )
    opened = definition(root, {"api/other.yaml": "a: {b: {$anchor: point}}"})

    def leads(*steps: str) -> str:
        node = opened.root
        for step in steps:
            node = node.child(step)
        return opened.follow(node).identity.removeprefix("api/root.yaml#")

    properties = ("components", "schemas", "B", "properties")
    assert leads("x") == "/components/schemas/A"
    assert leads("y") == "/components/schemas/B/properties/n"
    assert leads("z") == "api/other.yaml#/a/b"
    assert leads(*properties, "m") == "/components/schemas/B/properties/n"
    assert leads(*properties, "o") == "/components/schemas/C"
    assert leads(*properties, "p") == "/components/schemas/A"


def test_an_anchor_in_a_file_of_utf_16_is_found() -> None:
    root = HEAD.replace("3.0.3", "3.1.0") + "x: {$ref: '#here'}\ny: {$anchor: here}\n"
    opened = open_definition(MemoryTree({"a.yaml": root.encode("utf-16")}), "a.yaml", "utf-16")
    assert opened.follow(opened.root.child("x")).pointer == "/y"


def test_a_path_without_its_first_slash_is_told_with_the_slash() -> None:
    reason = failure(HEAD + "x: {$ref: '#components/schemas/A'}\n").reason
    assert reason == "behind `#` a path begins with `/`: write `#/components/schemas/A`"


def test_references_that_begin_with_the_documents_own_address_stay_in_the_bundle() -> None:
    root = HEAD.replace("3.0.3", "3.2.0") + (
        "$self: https://example.com/apis/shop.yaml\n"
        "x: {$ref: 'https://example.com/apis/shop.yaml#/components/schemas/A'}\n"
        "y: {$ref: 'https://example.com/apis/types/a.yaml#/A'}\n"
        "z: {$ref: 'https://example.com/else/a.yaml#/A'}\n"
        "w: {$ref: 'types/a.yaml#/A'}\n"
        "components: {schemas: {A: {}}}\n"
    )
    files = {"api/types/a.yaml": "A: {}"}
    assert target(root, files) == "api/root.yaml#/components/schemas/A"
    assert target(root, files, at="y") == "api/types/a.yaml#/A"
    assert target(root, files, at="w") == "api/types/a.yaml#/A"
    assert failure(root, files, at="z").rule == "reference-remote"


@pytest.mark.parametrize(
    ("written", "dialect"),
    [
        ("swagger: '2.0'", "2.0"),
        ("swagger: 2.0", "2.0"),
        ("openapi: 3.0.3", "3.0"),
        ("openapi: '3.0'", "3.0"),
        ("openapi: 3.0", "3.0"),
        ("openapi: 3.0.0-rc2", "3.0"),
        ("openapi: 3.1.1", "3.1"),
        ("openapi: 3.2.0", "3.2"),
    ],
)
def test_the_dialect_is_what_the_root_says(written: str, dialect: str) -> None:
    assert definition(written).dialect == dialect


@pytest.mark.parametrize(
    ("root", "problem"),
    [
        ("", "a.yaml: The file is empty. [definition-empty]"),
        ("[1]", "a.yaml:1: An OpenAPI definition is a mapping; this file holds a list. [definition-not-a-mapping]"),
        ("text", "a.yaml:1: An OpenAPI definition is a mapping; this file holds a single value."),
        (
            "info: {}\n",
            "a.yaml:1: There is neither `openapi` nor `swagger` at the top: this is no OpenAPI definition.",
        ),
        ("info: {}\nopenapi: 3.3.0\n", "a.yaml:2#/openapi: `openapi` is `3.3.0`; 2.0 (as `swagger`), 3.0, 3.1 and"),
        ("swagger: '1.2'\n", "a.yaml:1#/swagger: `swagger` is `1.2`; 2.0 (as `swagger`), 3.0, 3.1 and 3.2 (as"),
        ("openapi: [3]\n", "a.yaml:1#/openapi: `openapi` is something else; 2.0 (as `swagger`), 3.0, 3.1 and"),
    ],
)
def test_what_is_no_definition_is_refused_in_one_sentence(root: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match="^" + re.escape(problem)):
        open_definition(MemoryTree({"a.yaml": root}), "a.yaml")


def test_a_definition_in_another_encoding_has_lines_too() -> None:
    text = HEAD.replace("title: T", "title: 顧客API") + "tags: nothing\n"
    opened = open_definition(MemoryTree({"a.yaml": text.encode("cp932")}), "a.yaml", "cp932")
    assert opened.root.value["info"]["title"] == "顧客API"
    assert [str(found.where) for found in check_definition(opened)] == ["a.yaml:4#/tags"]


@pytest.mark.parametrize("file", ["a.yaml", "a.json"])
def test_lines_are_known_when_what_was_parsed_is_given_up(file: str) -> None:
    text = HEAD + "tags:\n  - name: A\n"
    given = json.dumps(yaml.safe_load(text), indent=1) if file == "a.json" else text
    opened = open_definition(MemoryTree({file: given}), file)
    finding = Finding("odd-shape", Severity.WARNING, Place(file, "/tags/0/name"), "")
    (before,) = opened.with_lines([finding])
    opened.forget_values()
    (after,) = opened.with_lines([finding])
    assert after.where.line == before.where.line != 0
    assert list(opened.files) == [file]


ROOT = HEAD + "components: {schemas: {A: {$ref: 'REFERENCE'}}}\n"
BEFORE_AND_AFTER: dict[str, tuple[str, MemoryTree, dict[str, str]]] = {
    "a file in the place of a link": (
        "b.yaml",
        MemoryTree({}, links=["api/b.yaml"]),
        {"api/b.yaml": "a: 1"},
    ),
    "a folder in the place of a link": ("d/b.yaml", MemoryTree({}, links=["api/d"]), {"api/d/b.yaml": "a: 1"}),
    "nothing in the place of a link": ("b.yaml", MemoryTree({}, links=["api/b.yaml"]), {}),
    "a file that was too large": (
        "b.yaml",
        MemoryTree({"api/b.yaml": "a: 1"}, sizes={"api/b.yaml": 10**9}),
        {"api/b.yaml": "a: 1"},
    ),
    "a file that was no YAML": ("b.yaml", MemoryTree({"api/b.yaml": "a: ["}), {"api/b.yaml": "a: 1"}),
    "a file that was no text": ("b.yaml", MemoryTree({"api/b.yaml": b"\xff\x00\xfe"}), {"api/b.yaml": "a: 1"}),
    "a file that was not there": ("b.yaml", MemoryTree({}), {"api/b.yaml": "a: 1"}),
    "a name in its decoded spelling": ("b%20c.yaml", MemoryTree({}), {"api/b c.yaml": "a: 1"}),
    "a name in its literal spelling": ("b%20c.yaml", MemoryTree({}), {"api/b%20c.yaml": "a: 1"}),
    "the better spelling of a name": (
        "b%20c.yaml",
        MemoryTree({"api/b%20c.yaml": "a: 1"}),
        {"api/b%20c.yaml": "a: 1", "api/b c.yaml": "a: 2"},
    ),
    "a neighbour at the document's own address": (
        "https://e.example/x/b.yaml",
        MemoryTree({}),
        {"api/b.yaml": "a: 1"},
    ),
    "a file that was removed": ("b.yaml", MemoryTree({"api/b.yaml": "a: 1"}), {}),
    "a file in the place of a folder": ("d", MemoryTree({"api/d/b.yaml": "a: 1"}), {"api/d": "a: 1"}),
    "a file that has become too large": (
        "b.yaml",
        MemoryTree({"api/b.yaml": "a: 1"}),
        {"api/b.yaml": "a: 1" + " " * 64 * 1024 * 1024},
    ),
}


@pytest.mark.parametrize("change", BEFORE_AND_AFTER)
def test_whatever_a_reference_led_to_is_noticed_when_it_changes(change: str) -> None:
    reference, before, after = BEFORE_AND_AFTER[change]
    root = ROOT.replace("REFERENCE", reference).replace("3.0.3", "3.2.0") + "$self: https://e.example/x/root.yaml\n"
    before.put("api/root.yaml", root)
    opened = open_definition(before, "api/root.yaml")
    check_definition(opened)
    assert all(is_as_remembered(path, was, before) for path, was in opened.inputs.items())
    now = MemoryTree({"api/root.yaml": root, **after})
    assert not all(is_as_remembered(path, was, now) for path, was in opened.inputs.items())


def test_a_folder_that_may_not_be_read_stops_a_reference_into_it() -> None:
    tree = MemoryTree({"api/root.yaml": ROOT.replace("REFERENCE", "d/b.yaml")}, unreadable=["api/d"])
    opened = open_definition(tree, "api/root.yaml")
    with pytest.raises(Unavailable, match="api/d"):
        check_definition(opened)


@pytest.mark.parametrize(
    "reference",
    [
        "https://user:SECRETPW@h/x.yaml",
        "https://user:SECRETPW/more@h/x.yaml",
        "https://user:SEC RETPW@h/x.yaml",
        "//user:SECRETPW@h/x.yaml",
        "user:SECRETPW@h/x.yaml",
        "x/https://user:SECRETPW@h/x.yaml",
        "#/a/https:~1~1user:SECRETPW@h",
        "#user:SECRETPW@h",
        "2user:SECRETPW@h/x.yaml",
        "https%3A%2F%2Fuser:SECRETPW@h/x.yaml",
        "https://user:SECRETPW" + "x" * 3000 + "@h/x.yaml",
    ],
)
def test_no_finding_quotes_a_password_in_a_reference(reference: str) -> None:
    parts = (
        "openapi: 3.2.0\ninfo: {title: T, version: '1'}\n",
        f"x: {{$ref: '{reference}'}}\n",
        f"paths: {{/a: {{$ref: '{reference}'}}}}\n",
        f"components: {{schemas: {{A: {{discriminator: {{propertyName: p, mapping: {{q: '{reference}'}}}}}}}}}}\n",
    )
    opened = definition("".join(parts))
    found = check_definition(opened)
    assert len(found) >= 2
    assert not [one for one in found if "SEC" in one.message or "RETPW" in one.message]
    with pytest.raises(UnresolvedReference) as caught:
        opened.follow(opened.root.child("x"))
    assert "RETPW" not in str(caught.value)
    assert "RETPW" not in caught.value.reason
