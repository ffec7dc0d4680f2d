"""Runs a GitLab pipeline: each job on a new machine, with `before_script` and `script` as written."""
import pathlib
import re
import shutil

import yaml

from machine import CannotRun, Machine, environment_of, git, matches

PROJECT = "/builds/games/game"
JOB_KEYS = {"extends", "stage", "image", "variables", "before_script", "script", "rules", "artifacts", "needs", "parallel", "resource_group"}
STAGES = [".pre", "build", "test", "deploy", ".post"]


def holds(text, variables):
    """Evaluates a rule's `if`: comparisons with == and !=, joined with && and ||."""
    def value(word):
        word = word.strip()
        if re.fullmatch(r'"[^"]*"|\'[^\']*\'', word):
            return word[1:-1]
        if re.fullmatch(r"\$\w+", word):
            return variables.get(word[1:])
        raise CannotRun(f"unknown in a rule: {word}")

    def one(part):
        found = re.fullmatch(r"(.*?)\s*(==|!=)\s*(.*)", part.strip())
        if not found:
            return bool(value(part))
        return (value(found[1]) == value(found[3])) == (found[2] == "==")

    return any(all(one(part) for part in group.split("&&")) for group in text.split("||"))


class GitLab:
    def __init__(self, server, base, work, log, overrides, actions):
        del actions
        self.server, self.base, self.work, self.log, self.overrides = server, base, pathlib.Path(work), log, overrides
        self.artifacts = self.work / "artifacts"
        self.artifacts.mkdir(parents=True, exist_ok=True)
        self.results, self.summaries = {}, {}

    def load(self, commit, path):
        """Returns the jobs and variables of a file, with its local includes."""
        whole = {}
        document = yaml.safe_load(self.server.file(commit, path))
        for entry in document.pop("include", []):
            if set(entry) != {"local"}:
                raise CannotRun(f"{path} has an include that this runner does not know: {entry}")
            whole.update(self.load(commit, entry["local"].lstrip("/")))
        for name, value in document.items():
            whole[name] = {**whole.get(name, {}), **value} if isinstance(value, dict) else value
        return whole

    def run(self, file, event, branch, inputs):
        commit = self.server.commit(branch)
        source = {"merge_request": "merge_request_event", "manual": "web"}.get(event, event)
        given = {"CI": "true", "GITLAB_CI": "true", "CI_PIPELINE_SOURCE": source, "CI_DEFAULT_BRANCH": "main", "CI_PROJECT_DIR": PROJECT,
                 "CI_PROJECT_PATH": "games/game", "CI_SERVER_PROTOCOL": "https", "CI_SERVER_HOST": "git.studio.example",
                 "CI_SERVER_PORT": "443", "REVCTL_PUSH_TOKEN": "a-token", "REVCTL_COMMENT_TOKEN": "a-token", "CI_PROJECT_ID": "7",
                 # Redirect the server's URL, which contains the token, to the local server.
                 "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "url.file:///srv/server.git.insteadOf",
                 "GIT_CONFIG_VALUE_0": "https://revctl:a-token@git.studio.example:443/games/game.git",
                 "GIT_CONFIG_KEY_1": "safe.directory", "GIT_CONFIG_VALUE_1": "*"}
        changed = []
        if event == "merge_request":
            commit = self.server.merge_request(branch)
            given.update(CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main", CI_MERGE_REQUEST_SOURCE_BRANCH_NAME=branch,
                         CI_MERGE_REQUEST_EVENT_TYPE="merged_result", CI_MERGE_REQUEST_IID="1")
        else:
            given["CI_COMMIT_BRANCH"] = branch
        if event == "push":
            given["CI_COMMIT_BEFORE_SHA"] = self.server.commit(branch + "~1")
            changed = self.server.changed(given["CI_COMMIT_BEFORE_SHA"], commit)
        given["CI_COMMIT_SHA"] = commit
        document = self.load(commit, file)
        common = {**environment_of(document.pop("variables", {})), **inputs, **self.overrides}
        jobs = {}
        for name, entry in document.items():
            if name == "stages" or name.startswith("."):
                continue
            if "extends" in entry:
                parent = document[entry["extends"]]
                entry = {**parent, **entry, "variables": {**parent.get("variables", {}), **entry.get("variables", {})}}
            unknown = set(entry) - JOB_KEYS
            if unknown:
                raise CannotRun(f"job {name} has unknown keys: {', '.join(sorted(unknown))}")
            variables = {**given, **common, **environment_of(entry.get("variables"))}
            when = self.when(entry, variables, changed)
            if when:
                jobs[name] = (entry, variables, when)
        failed = False
        for name, (entry, variables, when) in sorted(jobs.items(), key=lambda job: STAGES.index(job[1][0]["stage"])):
            if failed and when != "always":
                self.results[name] = "skipped"
                print(f"job {name}: skipped")
                continue
            self.job(name, entry, variables, commit, branch)
            failed |= self.results[name] == "failure"

    @staticmethod
    def when(entry, variables, changed):
        for rule in entry.get("rules", [{}]):
            if "if" in rule and not holds(rule["if"], variables):
                continue
            if "changes" in rule and not any(matches(pattern, path) for pattern in rule["changes"] for path in changed):
                continue
            return rule.get("when", "on_success")
        return None

    def job(self, name, entry, variables, commit, branch):
        count = entry.get("parallel", 1)
        results = []
        for number in range(1, count + 1):
            title = f"{name} {number}/{count}" if count > 1 else name
            print(f"\n=== job: {title}", file=self.log)
            machine = Machine(self.base, self.work / f"machine-{name}-{number}", self.server, self.log)
            try:
                machine.path(PROJECT).mkdir(parents=True)
                ref = "refs/pull/1/merge" if "CI_MERGE_REQUEST_IID" in variables else f"refs/heads/{branch}"
                depth = variables.get("GIT_DEPTH", "20")
                fetch = [f"--depth={depth}"] if depth != "0" else []
                self.git(machine, variables, "init", "-q", ".")
                self.git(machine, variables, "remote", "add", "origin", "file:///srv/server.git")
                everything = ["+refs/heads/*:refs/remotes/origin/*"] if depth == "0" else []
                self.git(machine, variables, "fetch", "-q", *fetch, "origin", f"+{ref}:refs/pipelines/1", *everything)
                self.git(machine, variables, "checkout", "-q", "--detach", commit)
                for need in entry.get("needs", []):
                    for part in sorted(self.artifacts.glob(need["job"] + "-*")):
                        shutil.copytree(part, machine.path(PROJECT), dirs_exist_ok=True)
                own = dict(variables)
                if count > 1:
                    own.update(CI_NODE_INDEX=str(number), CI_NODE_TOTAL=str(count))
                lines = [*entry.get("before_script", []), *entry["script"]]
                status = machine.run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], own, PROJECT)
                results.append("failure" if status else "success")
                self.keep(name, number, entry.get("artifacts", {}), machine, bool(status))
            finally:
                machine.close()
            print(f"job {title}: {results[-1]}", flush=True)
        self.results[name] = "success" if set(results) == {"success"} else "failure"

    @staticmethod
    def git(machine, variables, *arguments):
        if machine.run(["git", *arguments], variables, PROJECT) != 0:
            raise CannotRun(f"git {' '.join(arguments)} fails")

    def keep(self, name, number, artifacts, machine, failed):
        """Keeps a job's artifacts, and checks that its reports exist."""
        if failed and artifacts.get("when", "on_success") == "on_success":
            return
        project = machine.path(PROJECT)
        for path in artifacts.get("paths", []):
            if (project / path).exists():
                shutil.copytree(project / path, self.artifacts / f"{name}-{number}" / path)
        for kind, pattern in artifacts.get("reports", {}).items():
            if not list(project.glob(pattern)):
                print(f"--- warning: no {kind} report at {pattern}", file=self.log)
