"""Runs a declarative Jenkinsfile: the stages in order, the `sh` steps as written."""
import pathlib
import re
import shutil
import xml.etree.ElementTree

from machine import CannotRun, Machine, matches

TOKEN = re.compile(r"(?P<space>[ \t\r]+|//[^\n]*|/\*.*?\*/)|(?P<end>\n|;)|(?P<string>'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
                   r"|(?P<word>[A-Za-z_][\w.]*|\d+)|(?P<mark>==|!=|&&|\|\||[{}()\[\]:,=?!])", re.S)
WORKSPACE = "/home/jenkins/workspace/game"


def tokens(text):
    at, out = 0, []
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise CannotRun(f"Jenkinsfile: unknown text: {text[at:at + 30]!r}")
        at = found.end()
        if found.lastgroup != "space":
            out.append((found.lastgroup, found[0]))
    return out


class Parser:
    """Parses statements of Groovy's declarative subset as (name, arguments, block or None)."""

    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    def block(self):
        out = []
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if kind == "end":
                self.at += 1
            elif text == "}":
                self.at += 1
                return out
            else:
                out.append(self.statement())
        return out

    def statement(self):
        name = self.tokens[self.at][1]
        self.at += 1
        arguments, depth = [], 0
        while self.at < len(self.tokens):
            kind, text = self.tokens[self.at]
            if depth == 0 and (kind == "end" or text == "}"):
                return name, arguments, None
            self.at += 1
            if depth == 0 and text == "{":
                return name, arguments, self.block()
            depth += (text in "([") - (text in ")]") if kind == "mark" else 0
            if kind != "end":
                arguments.append((kind, text))
        return name, arguments, None


def plain(text, variables):
    """Returns the value of a string literal. Replaces variables between double quotes, but not between single quotes."""
    mark = 3 if text[:3] in ("'''", '"""') else 1
    inner = text[mark:-mark]
    if text[0] == '"':
        inner = re.sub(r"\$\{(\w+)\}", lambda found: variables.get(found[1], ""), inner)
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), inner)


def condition(arguments, variables):
    """Evaluates the condition of an `if`: names such as env.CHANGE_ID, negated or not, joined by &&."""
    texts = [text for _, text in arguments][1:-1]
    parts = re.split(" && ", " ".join(texts))
    for part in parts:
        if not re.fullmatch(r"(! )?env\.\w+", part):
            raise CannotRun(f"unknown condition: {part}")
    return all(bool(variables.get(part.rpartition(".")[2])) != part.startswith("!") for part in parts)


class Jenkins:
    def __init__(self, server, base, work, log, overrides, actions):
        del actions
        self.server, self.base, self.work, self.log, self.overrides = server, base, pathlib.Path(work), log, overrides
        self.artifacts, self.stashes = self.work / "artifacts", self.work / "stashes"
        for folder in (self.artifacts, self.stashes):
            folder.mkdir(parents=True, exist_ok=True)
        self.results, self.summaries, self.failed = {}, {}, False
        # The secrets that Jenkins would store. The push token is empty, because this runner's git server needs none.
        self.credentials = {"revctl-push": "", "revctl-comment": "a-token"}

    def run(self, file, event, branch, inputs):
        self.event, self.branch = event, branch
        self.parameters = {name: value == "true" for name, value in inputs.items()}
        self.commit = self.server.commit(branch)
        given = {"JENKINS_URL": "http://jenkins.invalid/", "BRANCH_NAME": branch, "WORKSPACE": WORKSPACE, "GIT_COMMIT": self.commit,
                 "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        self.ref, self.changed = f"refs/heads/{branch}", []
        if event == "change":
            self.commit = self.server.merge_request(branch)
            self.ref = "refs/pull/1/merge"
            given.update(CHANGE_TARGET="main", CHANGE_ID="1", CHANGE_URL="https://git.studio.example/games/game/pull/1",
                         BRANCH_NAME="PR-1", GIT_COMMIT=self.commit)
        elif event in ("push", "timer"):
            before = self.server.commit(branch + "~1")
            given["GIT_PREVIOUS_COMMIT"] = given["GIT_PREVIOUS_SUCCESSFUL_COMMIT"] = before
            self.changed = self.server.changed(before, self.commit) if event == "push" else []
        (name, _, pipeline), = Parser(self.server.file(self.commit, file)).block()
        if name != "pipeline":
            raise CannotRun(f"{file} is not a declarative pipeline")
        parts = {name: (arguments, block) for name, arguments, block in pipeline}
        unknown = set(parts) - {"agent", "triggers", "parameters", "environment", "stages", "post"}
        if unknown:
            raise CannotRun(f"{file} has unknown parts: {', '.join(sorted(unknown))}")
        for name, arguments, _ in parts.get("environment", ([], []))[1]:
            given[name] = plain(arguments[1][1], given)
        given.update(self.overrides)
        machine = self.machine("main")
        try:
            self.stages(parts["stages"][1], machine, given)
            for name, _, steps in parts.get("post", ([], []))[1]:
                if name != "always":
                    raise CannotRun(f"{file} has an unknown part of post: {name}")
                print("\n=== after all stages", file=self.log)
                if self.steps(steps, machine, given):
                    self.results["post"] = "failure"
        finally:
            machine.close()

    def machine(self, name):
        machine = Machine(self.base, self.work / f"machine-{name}", self.server, self.log)
        machine.path(WORKSPACE).mkdir(parents=True)
        for arguments in (["init", "-q", "."], ["remote", "add", "origin", "file:///srv/server.git"],
                          ["fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", f"+{self.ref}:refs/build"],
                          ["checkout", "-q", "--detach", self.commit]):
            if machine.run(["git", "-c", "safe.directory=*", *arguments], {}, WORKSPACE) != 0:
                raise CannotRun(f"git {' '.join(arguments)} fails")
        return machine

    def stages(self, stages, machine, environment):
        for name, arguments, block in stages:
            title = plain(arguments[1][1], environment)
            parts = {name: (arguments, block) for name, arguments, block in block}
            unknown = set(parts) - {"when", "steps", "post", "matrix"}
            if name != "stage" or unknown:
                raise CannotRun(f"stage {title} has unknown parts: {', '.join(sorted(unknown))}")
            if self.failed or not all(self.when(*one) for one in parts.get("when", ([], []))[1]):
                self.results[title] = "skipped"
                print(f"job {title}: skipped")
                continue
            if "matrix" in parts:
                self.matrix(title, {name: block for name, _, block in parts["matrix"][1]}, environment)
            else:
                print(f"\n=== job: {title}", file=self.log)
                failed = self.steps(parts["steps"][1], machine, environment)
                for name, _, steps in parts.get("post", ([], []))[1]:
                    if name == "always":
                        failed |= self.steps(steps, machine, environment)
                self.finish(title, failed)

    def finish(self, title, failed):
        self.results[title] = "failure" if failed else "success"
        self.failed |= failed
        print(f"job {title}: {self.results[title]}", flush=True)

    def matrix(self, title, parts, environment):
        (_, _, axis), = parts["axes"]
        entries = {name: [plain(text, {}) for kind, text in arguments if kind == "string"] for name, arguments, _ in axis}
        for value in entries["values"]:
            machine = self.machine(f"{title}-{value}")
            print(f"\n=== job: {title} {value}", file=self.log)
            own = {**environment, entries["name"][0]: value}
            try:
                (_, _, stage), = parts["stages"]
                failed = self.steps(next(block for name, _, block in stage if name == "steps"), machine, own)
            finally:
                machine.close()
            self.results[f"{title} {value}"] = "failure" if failed else "success"
            print(f"job {title} {value}: {self.results[f'{title} {value}']}", flush=True)
        # After catchError has caught a failure, later stages run, but the build as a whole fails.
        self.results[title] = "failure" if any(self.results[f"{title} {value}"] == "failure" for value in entries["values"]) else "success"

    def when(self, name, arguments, block):
        if name == "not":
            return not all(self.when(*one) for one in block)
        text = plain(arguments[0][1], {}) if arguments and arguments[0][0] == "string" else ""
        if name == "triggeredBy":
            return self.event == "timer" and text == "TimerTrigger"
        if name == "changeRequest":
            return self.event == "change"
        if name == "branch":
            return self.event != "change" and self.branch == text
        if name == "changeset":
            return any(matches(text, path) for path in self.changed)
        if name == "expression" and re.fullmatch(r"params\.\w+", block[0][0]):
            return self.parameters.get(block[0][0].partition(".")[2], False)
        raise CannotRun(f"unknown condition: {name}")

    def steps(self, steps, machine, environment):
        """Runs steps until one fails. Returns true if one failed."""
        for name, arguments, block in steps:
            strings = [plain(text, environment) for kind, text in arguments if kind == "string"]
            if name == "sh":
                print(f"--- step: {strings[0].strip().splitlines()[0]}", file=self.log)
                status = machine.run(["sh", "-xe", "-c", strings[0]], environment, WORKSPACE)
                if status != 0:
                    print(f"--- step failed with {status}", file=self.log)
                    return True
            elif name == "catchError":
                self.caught = self.steps(block, machine, environment)
                if self.caught and strings != ["SUCCESS", "SUCCESS"]:
                    self.rest(steps, machine, environment, name)
                    return True
            elif name == "withCredentials":
                if strings[0] not in self.credentials:
                    print(f"--- there is no credential {strings[0]}", file=self.log)
                    return True
                secret = {strings[1]: self.credentials[strings[0]]} if len(strings) > 1 else {}
                if self.steps(block, machine, {**environment, **secret}):
                    return True
            elif name == "script" or (name == "if" and condition(arguments, environment)):
                if self.steps(block, machine, environment):
                    return True
            elif name == "if":
                pass
            elif name == "junit":
                files = list(machine.path(WORKSPACE).glob(strings[0]))
                if not files:
                    print(f"--- junit: there is no {strings[0]}", file=self.log)
                    return True
                for file in files:
                    xml.etree.ElementTree.parse(file)
            elif name in ("stash", "archiveArtifacts"):
                folder = self.stashes / strings[0] if name == "stash" else self.artifacts
                pattern = strings[-1]
                shutil.copytree(machine.path(WORKSPACE) / pattern.partition("/")[0], folder / pattern.partition("/")[0], dirs_exist_ok=True)
            elif name == "unstash":
                shutil.copytree(self.stashes / strings[0], machine.path(WORKSPACE), dirs_exist_ok=True)
            else:
                raise CannotRun(f"unknown step: {name}")
        return False

    def rest(self, steps, machine, environment, name):
        """Runs the steps after a catchError."""
        after = [step[0] for step in steps].index(name) + 1
        self.steps(steps[after:], machine, environment)
