"""Small bundles on disk, and releases of them as a user's command would make them."""

import json
import sqlite3
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from hanpon.cli import main
from tests.databases import logical_dump

MANIFEST = """\
owner: platform-team
readers: [{readers}]
language: en
items:
  - {{kind: api, name: shop, version: v1, definition: shop.yaml}}
"""

READERS = "group:engineers@example.co.jp"


def definition(*paths: str, summary: str = "Does it") -> str:
    """A valid definition with one GET operation for each path."""
    lines = ["openapi: 3.0.3", "info: {title: Shop, version: '1'}", "paths:"]
    for path in paths:
        lines += [
            f"  {path}:",
            f"    get: {{summary: {summary} {path}, responses: {{'200': {{description: fine}}}}}}",
        ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Desk:
    """A bundle and the places it is released to, all in one temporary folder."""

    folder: Path

    @property
    def bundle(self) -> Path:
        return self.folder / "bundle"

    @property
    def storage(self) -> Path:
        return self.folder / "storage"

    @property
    def database(self) -> Path:
        return self.folder / "hanpon.db"

    def write(self, *paths: str, readers: str = READERS, summary: str = "Does it") -> None:
        self.put("hanpon.yaml", MANIFEST.format(readers=readers))
        self.put("shop.yaml", definition(*paths, summary=summary))

    def put(self, name: str, text: str | bytes) -> None:
        path = self.bundle / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def run(self, *arguments: str) -> Result:
        environment = {
            "HANPON_STORAGE": f"file:{self.storage}",
            "HANPON_DATASTORE": f"sqlite:{self.database}",
            "HANPON_CACHE": str(self.folder / "cache"),
            "HANPON_DEBUG": "1",
        }
        result = CliRunner(env=environment).invoke(main, list(arguments))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def release(self, *arguments: str) -> Result:
        return self.run("release", str(self.bundle), *arguments)

    def report(self, *arguments: str) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(self.release("--json", *arguments).stdout)
        return record

    def edition(self, *arguments: str) -> dict[str, Any]:
        """The report of the one edition of the bundle."""
        (edition,) = self.report(*arguments)["editions"]
        found: dict[str, Any] = edition
        return found

    def sections(self) -> list[str]:
        """What is served now, from storage."""
        result = self.run("documents", "shop", "v1", "--json")
        return sorted(record["section"] for record in json.loads(result.stdout)) if result.exit_code == 0 else []

    def rows(self) -> list[Any]:
        """The ordered logical dump of the database."""
        if not self.database.exists():
            return []
        connection = sqlite3.connect(self.database)
        try:
            return logical_dump(connection)
        finally:
            connection.close()

    def files(self, below: str = "") -> dict[str, str]:
        """Every file below the folder with its digest."""
        return {
            path.relative_to(self.folder).as_posix(): sha256(path.read_bytes()).hexdigest()
            for path in sorted((self.folder / below).rglob("*"))
            if path.is_file()
        }
