"""A CI host's machine: a copy of a clean Debian root for one job, and the git server that all jobs share."""
import os
import pathlib
import re
import shutil
import subprocess


class CannotRun(Exception):
    """Raised if a CI file contains something that this runner, or the host itself, does not support."""


def git(folder, *arguments):
    """Returns git's output without the final newline."""
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True).stdout.rstrip("\n")


class Server:
    """A bare repository with the refs that a host creates."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def commit(self, name):
        return git(self.path, "rev-parse", "--verify", name + "^{commit}")

    def file(self, commit, path):
        """Returns the text of a file in a commit, or the target of a symbolic link."""
        return git(self.path, "show", f"{commit}:{path}")

    def merge_request(self, branch, target="main"):
        """Creates refs/pull/1/merge with a text merge, as hosts do, and returns its commit."""
        head, base = self.commit(branch), self.commit(target)
        merged = subprocess.run(["git", "-C", str(self.path), "merge-tree", "--write-tree", base, head], capture_output=True, text=True)
        if merged.returncode != 0:
            raise CannotRun(f"{branch} conflicts with {target}, so a host would run no job for it")
        who = ["-c", "user.name=host", "-c", "user.email=host@localhost"]
        commit = git(self.path, *who, "commit-tree", "-p", base, "-p", head, "-m", f"Merge {branch} into {target}", merged.stdout.split()[0])
        git(self.path, "update-ref", "refs/pull/1/merge", commit)
        git(self.path, "update-ref", "refs/pull/1/head", head)
        return commit

    def changed(self, before, after):
        return git(self.path, "diff", "--name-only", before, after).splitlines()


class Machine:
    """One root. Commands run in it without this machine's environment variables."""

    def __init__(self, base, folder, server, log, shared=None):
        if os.geteuid() != 0:
            raise CannotRun("the runner needs root, for chroot and mounts")
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.log = log
        for part in ("changes", "work", "root"):
            (self.folder / part).mkdir(parents=True)
        self._mounts = []
        self._mount("-t", "overlay", "overlay", "-o",
                    f"lowerdir={base},upperdir={self.folder / 'changes'},workdir={self.folder / 'work'}", target=self.root)
        for source, path in ((server.path, "srv/server.git"), (shared, "srv/artifacts")):
            if source:
                (self.root / path).mkdir(parents=True, exist_ok=True)
                self._mount("--bind", str(source), target=self.root / path)
        self._mount("-t", "proc", "proc", target=self.root / "proc")

    def _mount(self, *arguments, target):
        subprocess.run(["mount", *arguments, str(target)], check=True)
        self._mounts.append(target)

    def close(self):
        for target in reversed(self._mounts):
            subprocess.run(["umount", "-l", str(target)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, inside):
        return self.root / str(inside).lstrip("/")

    def write(self, inside, text):
        self.path(inside).parent.mkdir(parents=True, exist_ok=True)
        self.path(inside).write_text(text)

    def read(self, inside):
        return self.path(inside).read_text() if self.path(inside).exists() else ""

    def run(self, argv, environment, folder):
        """Runs a command, appends its output to the log and returns its status."""
        whole = {"HOME": "/root", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8",
                 "DEBIAN_FRONTEND": "noninteractive", **environment}
        self.log.flush()
        inner = ["env", "-i", *[f"{name}={value}" for name, value in whole.items()],
                 "chroot", str(self.root), "/usr/bin/env", f"--chdir={folder}", *argv]
        return subprocess.run(inner, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, check=False).returncode


def matches(pattern, path):
    """True if a path matches a pattern of the hosts' `changes` and `paths`, where ** matches any folders and * does not match a slash."""
    expression = re.escape(pattern).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return re.fullmatch(expression, path) is not None


def variables(items):
    return {name: value for name, _, value in (item.partition("=") for item in items)}


def environment_of(values):
    """Returns YAML values in the form that a host uses for environment variables."""
    text = {None: "", True: "true", False: "false"}
    return {str(name): text[value] if value is None or isinstance(value, bool) else str(value) for name, value in (values or {}).items()}
