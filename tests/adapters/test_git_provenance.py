"""Where a bundle came from, asked of real repositories."""

import os
import subprocess
from pathlib import Path

import pytest

from hanpon.adapters import git_provenance
from hanpon.adapters.git_provenance import Provenance, identity_of, provenance_of
from hanpon.contracts.errors import Unavailable, UsageError

REMOTE = "https://git.example.com/platform/apis.git"


def git(folder: Path, *arguments: str) -> str:
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com"}
    names |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": "/dev/null"}
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | names).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "bundle").mkdir(parents=True)
    (folder / "bundle" / "hanpon.yaml").write_text("items: []\n")
    (folder / "other.md").write_text("other\n")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "remote", "add", "origin", REMOTE)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first")
    return folder


def test_the_origin_is_the_remote_and_the_folder_in_the_repository(checkout: Path) -> None:
    assert provenance_of(checkout / "bundle").origin == "https://git.example.com/platform/apis#bundle"
    assert provenance_of(checkout).origin == "https://git.example.com/platform/apis"


def test_the_origin_does_not_depend_on_where_the_checkout_lies(checkout: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(checkout), "elsewhere")
    git(tmp_path / "elsewhere", "remote", "set-url", "origin", "https://token:x@git.example.com/platform/apis")
    assert provenance_of(tmp_path / "elsewhere" / "bundle") == provenance_of(checkout / "bundle")


def test_without_a_tag_the_ref_is_the_commit(checkout: Path) -> None:
    assert provenance_of(checkout / "bundle").ref == git(checkout, "rev-parse", "HEAD")


def test_the_ref_is_the_highest_version_of_several_tags(checkout: Path) -> None:
    for tag in ("v1.9.0", "v1.10.0-rc.1", "v1.10.0"):
        git(checkout, "tag", tag)
    git(checkout, "tag", "--annotate", "--message", "x", "v1.2.0")
    assert provenance_of(checkout / "bundle").ref == "v1.10.0"


def test_a_tag_of_another_commit_is_no_ref(checkout: Path) -> None:
    git(checkout, "tag", "v1")
    git(checkout, "commit", "--quiet", "--allow-empty", "--message", "second")
    assert provenance_of(checkout / "bundle").ref == git(checkout, "rev-parse", "HEAD")


def test_a_modified_folder_is_of_no_tag_or_commit(checkout: Path) -> None:
    git(checkout, "tag", "v1")
    (checkout / "other.md").write_text("a change beside the bundle\n")
    assert provenance_of(checkout / "bundle").ref == "v1"
    assert provenance_of(checkout).ref == ""
    (checkout / "bundle" / "hanpon.yaml").write_text("items: [1]\n")
    assert provenance_of(checkout / "bundle").ref == ""
    git(checkout, "add", ".")
    assert provenance_of(checkout / "bundle").ref == ""


def test_files_that_git_does_not_track_leave_the_ref(checkout: Path) -> None:
    git(checkout, "tag", "v1")
    (checkout / "bundle" / "generated.yaml").write_text("openapi: 3.1.0\n")
    assert provenance_of(checkout / "bundle").ref == "v1"


def test_a_touched_file_is_not_a_modified_one(checkout: Path) -> None:
    git(checkout, "tag", "v1")
    os.utime(checkout / "bundle" / "hanpon.yaml", (1, 1))
    assert provenance_of(checkout / "bundle").ref == "v1"


def test_a_folder_that_is_not_tracked_has_no_provenance(checkout: Path) -> None:
    (checkout / "scratch").mkdir()
    (checkout / "scratch" / "hanpon.yaml").write_text("items: []\n")
    assert provenance_of(checkout / "scratch") == Provenance()


def test_a_folder_outside_git_and_a_repository_without_a_commit_have_none(tmp_path: Path) -> None:
    assert provenance_of(tmp_path) == Provenance()
    git(tmp_path, "init", "--quiet")
    assert provenance_of(tmp_path) == Provenance()


def test_a_repository_without_a_remote_still_has_a_ref(checkout: Path) -> None:
    git(checkout, "remote", "remove", "origin")
    git(checkout, "tag", "v1")
    assert provenance_of(checkout / "bundle") == Provenance("", "v1")


def test_a_machine_without_git_is_fine(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout))
    assert provenance_of(checkout) == Provenance()


def test_variables_of_a_calling_git_hook_do_not_mislead(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "/nowhere")
    assert provenance_of(checkout / "bundle").origin == "https://git.example.com/platform/apis#bundle"


@pytest.mark.parametrize("name", ["smudge-and-clean", "with=equals"])
def test_nothing_that_a_hostile_checkout_configures_is_run(checkout: Path, tmp_path: Path, name: str) -> None:
    trap, trace = tmp_path / "trap", tmp_path / "trace"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\ncat\n")
    trap.chmod(0o755)
    (checkout / ".git" / "info" / "attributes").write_text(f"* filter={name}\n")
    for key in (f"filter.{name}.clean", f"filter.{name}.smudge", "core.fsmonitor", "core.sshCommand", "core.pager"):
        git(checkout, "config", key, str(trap))
    hook = checkout / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(trap.read_text())
    hook.chmod(0o755)
    os.utime(checkout / "bundle" / "hanpon.yaml", (1, 1))
    provenance_of(checkout / "bundle")
    assert not trace.exists()


def test_asking_writes_nothing_into_the_checkout(checkout: Path) -> None:
    os.utime(checkout / "bundle" / "hanpon.yaml", (1, 1))
    before = (checkout / ".git" / "index").stat().st_mtime_ns
    provenance_of(checkout / "bundle")
    assert (checkout / ".git" / "index").stat().st_mtime_ns == before


def test_a_git_that_hangs_is_unavailable(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec /bin/sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent))
    monkeypatch.setattr(git_provenance, "TIME_LIMIT", 0.2)
    with pytest.raises(Unavailable, match="git did not answer"):
        provenance_of(checkout)


def test_a_checkout_of_another_user_is_told_in_words(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = tmp_path / "bin" / "git"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership in repository' >&2\nexit 128\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(refusing.parent))
    with pytest.raises(UsageError, match=r"git config --global --add safe\.directory"):
        provenance_of(checkout)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://user:secret@git.example.com/a/b.git", "https://git.example.com/a/b"),
        ("https://x-token@git.example.com:8443/a/b/", "https://git.example.com:8443/a/b"),
        ("HTTPS://git.example.com/a/b?private_token=secret#x", "https://git.example.com/a/b"),
        ("https://us@er:secret@git.example.com/a", "https://git.example.com/a"),
        ("ssh://git@git.example.com/a/b.git", "ssh://git.example.com/a/b"),
        ("git@git.example.com:a/b.git", "git.example.com:a/b"),
        ("git.example.com:a/b.git", "git.example.com:a/b"),
        ("/srv/git/b@2.git", "/srv/git/b@2"),
        ("user:secret@h:r.git", "h:r"),
        ("u:secret@h/r", "h/r"),
        ("https://user:sec/secret@h/r", "https://h/r"),
        ("https://user:sec@secret/x@h/r", "https://h/r"),
        ("https://user:sec secret@h/r.git", "https://h/r"),
        ("[u:secret@h:22]:r.git", "[h:22]:r"),
        ("https::https://u:secret@h/r", "https::https://h/r"),
        ("ext::https://h/r?token=secret", "ext::https://h/r"),
        ("//u:secret@h/r", "//h/r"),
        ("ssh://git:secret@h/r", "ssh://h/r"),
        ("ssh://git@git.example.com:22/a/b@v1", "ssh://git.example.com:22/a/b@v1"),
        ("git@git.example.com:a/b@v1", "git.example.com:a/b@v1"),
        ("https://git.example.com/@scope/x", "https://git.example.com/@scope/x"),
        ("/srv/my git/b@2.git", "/srv/my git/b@2"),
        ("../b.git", "../b"),
    ],
)
def test_an_origin_holds_no_credentials(url: str, origin: str) -> None:
    assert identity_of(url) == origin
    assert "secret" not in identity_of(url)
