"""A folder on disk as a bundle: everything in it that is a plain file, nothing that lies outside."""

import errno
import os
import socket
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hanpon.adapters.folder_tree import MAX_FOLDER_DEPTH, FolderTree
from hanpon.contracts.errors import InvalidInput, Missing, Unavailable, UsageError
from hanpon.contracts.ports import BundleTree


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())


def test_every_file_is_listed_in_order_with_its_size_and_bytes(tmp_path: Path) -> None:
    write(tmp_path, "b/c.md", "a.md", "b.md", "b/a/x.md", ".hidden")
    tree: BundleTree = FolderTree(tmp_path)
    assert list(tree.paths()) == [".hidden", "a.md", "b.md", "b/a/x.md", "b/c.md"]
    assert tree.size("b/a/x.md") == 8
    assert tree.read("b/a/x.md") == b"b/a/x.md"
    assert tree.links() == frozenset()


def test_an_empty_folder_has_no_files(tmp_path: Path) -> None:
    assert list(FolderTree(tmp_path).paths()) == []


def test_links_to_files_and_folders_are_named_and_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    write(outside, "secret.md")
    bundle = tmp_path / "bundle"
    write(bundle, "a.md", "docs/b.md")
    (bundle / "file-link.md").symlink_to(outside / "secret.md")
    (bundle / "docs" / "folder-link").symlink_to(outside)
    (bundle / "inside.md").symlink_to("a.md")
    (bundle / "dangling.md").symlink_to("nowhere")
    tree = FolderTree(bundle)
    assert list(tree.paths()) == ["a.md", "docs/b.md"]
    assert tree.links() == {"file-link.md", "docs/folder-link", "inside.md", "dangling.md"}
    with pytest.raises(Missing):
        tree.read("file-link.md")
    with pytest.raises(Missing):
        tree.read("docs/folder-link/secret.md")


def test_a_file_that_is_swapped_for_a_link_after_listing_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "bundle/a.md", "outside.md")
    tree = FolderTree(tmp_path / "bundle")
    tree.paths()
    (tmp_path / "bundle" / "a.md").unlink()
    (tmp_path / "bundle" / "a.md").symlink_to(tmp_path / "outside.md")
    with pytest.raises(Unavailable, match=r"a\.md was changed while the bundle was being read"):
        tree.read("a.md")


def test_a_folder_that_is_swapped_for_a_link_after_listing_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "bundle/docs/a.md", "outside/a.md")
    tree = FolderTree(tmp_path / "bundle")
    tree.paths()
    (tmp_path / "bundle" / "docs").rename(tmp_path / "moved")
    (tmp_path / "bundle" / "docs").symlink_to(tmp_path / "outside")
    with pytest.raises(Unavailable, match="was changed while"):
        tree.read("docs/a.md")


def test_a_file_that_grows_shrinks_or_goes_after_listing_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "grows", "shrinks", "goes", "pipe", "folder")
    tree = FolderTree(tmp_path)
    tree.paths()
    (tmp_path / "grows").write_bytes(b"x" * 1000)
    (tmp_path / "shrinks").write_bytes(b"")
    (tmp_path / "goes").unlink()
    (tmp_path / "pipe").unlink()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").unlink()
    (tmp_path / "folder").mkdir()
    for name in ("grows", "shrinks", "goes", "pipe", "folder"):
        with pytest.raises(Unavailable, match=f"{name} was changed while"):
            tree.read(name)


def test_paths_that_leave_the_folder_are_missing(tmp_path: Path) -> None:
    write(tmp_path, "bundle/a.md", "outside.md")
    tree = FolderTree(tmp_path / "bundle")
    for path in ("../outside.md", "/etc/passwd", "./a.md", "", "."):
        with pytest.raises(Missing):
            tree.read(path)
        with pytest.raises(Missing):
            tree.size(path)


def test_sockets_and_pipes_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # a socket's path may be about 100 bytes at most
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        tree = FolderTree(tmp_path)
        assert list(tree.paths()) == ["a.md"]
    assert tree.links() == frozenset()


def test_the_folder_of_git_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, ".git/config", "module/.git", ".github/x.yml", ".gitignore")
    assert list(FolderTree(tmp_path).paths()) == [".github/x.yml", ".gitignore"]


def test_names_on_disk_in_another_form_are_told_in_nfc_and_can_be_read(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "ガイド/がくせい.md")
    write(tmp_path, decomposed)
    tree = FolderTree(tmp_path)
    assert list(tree.paths()) == ["ガイド/がくせい.md"]
    assert tree.read("ガイド/がくせい.md") == decomposed.encode()


def test_two_names_that_are_the_same_text_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "x/が.md", unicodedata.normalize("NFD", "x/が.md"))
    if len(list((tmp_path / "x").iterdir())) == 1:  # a file system that normalises cannot hold the case
        return
    with pytest.raises(InvalidInput) as caught:
        FolderTree(tmp_path).paths()
    (problem,) = caught.value.problems
    assert (problem.rule, problem.where.file) == ("file-names-alike", "x/が.md")


@pytest.mark.skipif(os.uname().sysname == "Darwin", reason="macOS refuses to make such a file")
def test_all_names_that_are_not_utf8_are_refused_at_once(tmp_path: Path) -> None:
    for name in (b"\x83K\x83C\x83h.md", b"caf\xe9.md"):
        os.close(os.open(os.fsencode(tmp_path) + b"/" + name, os.O_CREAT))
    with pytest.raises(InvalidInput) as caught:
        FolderTree(tmp_path).paths()
    assert [problem.rule for problem in caught.value.problems] == ["file-name-not-utf-8"] * 2
    assert "caf\ufffd.md: is a file name that is not UTF-8" in str(caught.value)


def test_a_folder_that_is_missing_or_a_file_is_a_usage_error(tmp_path: Path) -> None:
    write(tmp_path, "file")
    with pytest.raises(UsageError, match="nowhere does not exist; name the folder that holds"):
        FolderTree(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="file is a file; name the folder"):
        FolderTree(tmp_path / "file")
    with pytest.raises(UsageError, match="cannot be resolved"):
        FolderTree("a\0b")


def test_a_folder_that_may_not_be_read_is_a_usage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(UsageError, match="may not be read by this user"):
        FolderTree(tmp_path)


def test_a_disk_that_fails_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md")
    tree = FolderTree(tmp_path)
    tree.paths()
    opened = os.open

    def fail(name: object, *arguments: object, **options: object) -> int:
        if name == "a.md":
            raise OSError(5, "Input/output error")
        return opened(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(Unavailable, match=r"a\.md cannot be read: Input/output error"):
        tree.read("a.md")


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO, errno.ENOMEM, errno.ESTALE])
def test_a_machine_that_cannot_open_the_folder_now_is_unavailable_and_no_slip_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(Unavailable, match=f"cannot be opened: {os.strerror(number)}"):
        FolderTree(tmp_path)


def test_a_path_that_no_disk_can_hold_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="File name too long"):
        FolderTree(tmp_path / ("x" * 300))


def test_too_many_files_are_a_usage_error(tmp_path: Path) -> None:
    write(tmp_path, "a", "b", "c")
    assert len(FolderTree(tmp_path, max_files=3).paths()) == 3
    with pytest.raises(UsageError, match="holds more than 2 files and folders"):
        FolderTree(tmp_path, max_files=2).paths()


def test_folders_nested_too_deep_are_a_usage_error(tmp_path: Path) -> None:
    write(tmp_path, "/".join(["d"] * MAX_FOLDER_DEPTH) + "/file")
    assert len(FolderTree(tmp_path).paths()) == 1
    write(tmp_path, "/".join(["d"] * (MAX_FOLDER_DEPTH + 1)) + "/file")
    with pytest.raises(UsageError, match="nested deeper than 100 levels"):
        FolderTree(tmp_path).paths()


def test_the_bundles_own_folder_may_be_named_by_a_link(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to("real")
    tree = FolderTree(tmp_path / "link")
    assert list(tree.paths()) == ["a.md"]
    assert tree.origin == FolderTree(tmp_path / "real").origin


def test_outside_git_the_origin_is_the_absolute_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "bundle/a.md")
    monkeypatch.chdir(tmp_path)
    tree = FolderTree("bundle")
    assert tree.origin == f"folder:{tmp_path.resolve()}/bundle"
    assert tree.ref == ""


def test_reading_leaves_no_descriptor_open(tmp_path: Path) -> None:
    descriptors = Path("/proc/self/fd" if Path("/proc/self/fd").exists() else "/dev/fd")
    write(tmp_path, "a/b/c.md", "a/d.md")
    before = len(list(descriptors.iterdir()))
    tree = FolderTree(tmp_path)
    tree.read("a/b/c.md")
    (tmp_path / "a" / "d.md").unlink()
    (tmp_path / "a" / "d.md").mkdir()
    with pytest.raises(Unavailable):
        tree.read("a/d.md")
    assert len(list(descriptors.iterdir())) == before


def test_files_and_folders_that_vanish_while_the_folder_is_listed_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", "out/.held/api--a--v1/lock", "out/x.json", "z/b.md")
    listed = os.scandir

    @contextmanager
    def scandir_late(descriptor: int) -> Iterator[list["os.DirEntry[str]"]]:
        with listed(descriptor) as entries:
            found = list(entries)
        if any(entry.name == "x.json" for entry in found):
            (tmp_path / "out" / "x.json").unlink()
            for folder in (".held/api--a--v1", ".held"):
                for file in (tmp_path / "out" / folder).glob("lock"):
                    file.unlink()
                (tmp_path / "out" / folder).rmdir()
        yield found

    monkeypatch.setattr(os, "scandir", scandir_late)
    assert list(FolderTree(tmp_path).paths()) == ["a.md", "z/b.md"]


def test_a_folder_that_may_not_be_read_matters_only_to_what_may_stand_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", "closed/b.md", "closed/deep/c.md")
    opened = os.open

    def refuse(name: object, *arguments: object, **options: object) -> int:
        if name == "closed":
            raise PermissionError(13, "Permission denied")
        return opened(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    tree = FolderTree(tmp_path)
    assert list(tree.paths()) == ["a.md"]
    assert tree.unreadable() == {"closed"}
    assert tree.read("a.md") == b"a.md"
    for path in ("closed/b.md", "closed/deep/c.md"):
        with pytest.raises(Unavailable, match="may stand in closed, a folder that this user may not read"):
            tree.size(path)
    with pytest.raises(Missing):
        tree.size("other/b.md")


def test_a_folder_whose_files_may_not_be_looked_at_is_unreadable_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md", "closed/b.md")
    listed = os.scandir

    class Closed:
        name = "b.md"

        def stat(self, *, follow_symlinks: bool) -> os.stat_result:
            raise PermissionError(13, "Permission denied")

    @contextmanager
    def scandir_without_search(descriptor: int) -> Iterator[list[object]]:
        with listed(descriptor) as entries:
            found = list(entries)
        yield [Closed()] if [entry.name for entry in found] == ["b.md"] else list(found)

    monkeypatch.setattr(os, "scandir", scandir_without_search)
    tree = FolderTree(tmp_path)
    assert list(tree.paths()) == ["a.md"]
    assert tree.unreadable() == {"closed"}
