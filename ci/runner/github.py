"""Runs a GitHub Actions workflow: each job on a new machine, with its steps in order."""
import itertools
import json
import pathlib
import subprocess

import yaml

from expression import condition, fill
from machine import CannotRun, Machine, environment_of, matches

ACTIONS = pathlib.Path(__file__).parent / "actions"
WORKSPACE = "/home/runner/work/game"
TEMP = "/home/runner/temp"
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory"}
JOB_KEYS = {"runs-on", "needs", "if", "strategy", "steps", "env", "permissions", "concurrency", "name"}


class Job:
    """A job for one matrix entry."""

    def __init__(self, host, machine, context, environment):
        self.host, self.machine, self.context = host, machine, context
        self.environment = dict(environment)
        self.path = []
        self.failed = False

    def steps(self, steps, inputs=None, action=None):
        """Runs the steps of a job or a composite action, and returns the outputs of steps with an id."""
        outputs = {}
        for number, step in enumerate(steps):
            unknown = set(step) - STEP_KEYS
            if unknown:
                raise CannotRun(f"a step has unknown keys: {', '.join(sorted(unknown))}")
            context = {**self.context, "steps": {name: {"outputs": values} for name, values in outputs.items()}}
            if action is not None:
                context["inputs"] = inputs
            if not condition(step.get("if", "success()"), context, self.failed):
                continue
            name = step.get("name") or step.get("uses") or step["run"].splitlines()[0]
            print(f"--- step: {name}", file=self.machine.log)
            own = {key: fill(value, context) for key, value in environment_of(step.get("env")).items()}
            if "uses" in step:
                given = {key: fill(value, context) for key, value in environment_of(step.get("with")).items()}
                status, made = self.use(step["uses"], given, own)
            else:
                status, made = self.run(step, fill(step["run"], context), own, action)
            if step.get("id"):
                outputs[step["id"]] = made
            if status != 0:
                print(f"--- step failed with {status}: {name}", file=self.machine.log)
                self.failed = True
        return outputs

    def run(self, step, script, own, action):
        self.machine.write(f"{TEMP}/step.sh", script)
        files = {f"GITHUB_{name}": f"{TEMP}/{name.lower()}" for name in ("ENV", "PATH", "OUTPUT")}
        for file in files.values():
            self.machine.write(file, "")
        environment = {**self.environment, **own, **files, "GITHUB_STEP_SUMMARY": f"{TEMP}/summary"}
        if action is not None:
            environment["GITHUB_ACTION_PATH"] = action
        environment["PATH"] = ":".join([*self.path, "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"])
        shell = step.get("shell", "default")
        argv = {"default": ["bash", "-e"], "bash": ["bash", "--noprofile", "--norc", "-eo", "pipefail"], "sh": ["sh", "-e"]}[shell]
        folder = f"{WORKSPACE}/{fill(step.get('working-directory', '.'), {**self.context, 'inputs': self.inputs})}"
        status = self.machine.run([*argv, f"{TEMP}/step.sh"], environment, folder)
        read = lambda name: [line for line in self.machine.read(files[f"GITHUB_{name}"]).splitlines() if line]
        self.path = read("PATH")[::-1] + self.path
        self.environment.update(line.split("=", 1) for line in read("ENV"))
        return status, dict(line.split("=", 1) for line in read("OUTPUT"))

    inputs = {}

    def use(self, uses, given, own):
        """Runs an action from the repository (./), this folder, or a folder that the caller names."""
        if uses.startswith("./"):
            folder = f"{WORKSPACE}/{uses}"
        else:
            name = uses.partition("@")[0]
            source = self.host.actions.get(name) or ACTIONS / name.rpartition("/")[2]
            if not pathlib.Path(source).is_dir():
                raise CannotRun(f"unknown action: {uses}")
            folder = f"/home/runner/actions/{name}"
            self.machine.run(["mkdir", "-p", folder], {}, "/")
            subprocess.run(["cp", "-rL", f"{source}/.", str(self.machine.path(folder))], check=True)
        text = self.machine.read(f"{folder}/action.yml")
        if not text:
            print(f"--- there is no {folder}/action.yml", file=self.machine.log)
            return 1, {}
        action = yaml.safe_load(text)
        known = action.get("inputs") or {}
        unknown = set(given) - set(known)
        if unknown:
            raise CannotRun(f"{uses} has no input {', '.join(sorted(unknown))}")
        inputs = {name: given.get(name, str((entry or {}).get("default", ""))) for name, entry in known.items()}
        before, outer = self.failed, self.inputs
        self.inputs = inputs
        self.failed = False
        outputs = self.steps(action["runs"]["steps"], inputs, folder)
        failed, self.failed, self.inputs = self.failed, before, outer
        context = {"inputs": inputs, "steps": {name: {"outputs": values} for name, values in outputs.items()}}
        made = {name: fill(entry["value"], context) for name, entry in (action.get("outputs") or {}).items()}
        return int(failed), made


class GitHub:
    def __init__(self, server, base, work, log, overrides, actions):
        self.server, self.base, self.work, self.log = server, base, pathlib.Path(work), log
        self.overrides, self.actions = overrides, actions
        self.artifacts = self.work / "artifacts"
        self.artifacts.mkdir(parents=True, exist_ok=True)
        self.results, self.summaries = {}, {}

    def event(self, name, branch, inputs):
        """Returns the context `github`, and environment variables with the same content."""
        target = self.server.commit("main")
        github = {"event_name": name, "repository": "games/game", "token": "a-token", "ref_name": branch, "ref": f"refs/heads/{branch}",
                  "sha": self.server.commit(branch)}
        payload = {"inputs": inputs, "repository": {"full_name": "games/game"}}
        if name == "pull_request":
            head = github["sha"]
            github.update(ref="refs/pull/1/merge", ref_name="1/merge", head_ref=branch, base_ref="main", sha=self.server.merge_request(branch))
            payload.update(number=1, pull_request={"number": 1, "head": {"ref": branch, "sha": head}, "base": {"ref": "main", "sha": target}})
        elif name == "merge_group":
            payload["merge_group"] = {"base_sha": target, "base_ref": "refs/heads/main"}
        elif name == "push":
            payload["before"] = self.server.commit(branch + "~1")
        github["event"] = payload
        environment = {f"GITHUB_{key.upper()}": value for key, value in github.items() if isinstance(value, str) and key != "token"}
        return github, environment, payload

    def triggered(self, workflow, name, payload, sha):
        events = workflow[True] if True in workflow else workflow["on"]  # YAML 1.1 reads `on` as true
        if name not in events:
            return False
        options = events[name] if isinstance(events, dict) else None
        paths = options.get("paths") if isinstance(options, dict) else None  # a schedule is a list of times
        return not paths or any(matches(pattern, path) for path in self.server.changed(payload["before"], sha) for pattern in paths)

    def run(self, file, name, branch, inputs):
        github, environment, payload = self.event(name, branch, inputs)
        workflow = yaml.safe_load(self.server.file(github["sha"], file))
        if not self.triggered(workflow, name, payload, github["sha"]):
            print(f"{file}: not triggered by {name}")
            return
        environment = {**environment, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": WORKSPACE, "RUNNER_TEMP": TEMP,
                       "GITHUB_EVENT_PATH": f"{TEMP}/event.json", "GITHUB_SERVER_URL": "http://host.invalid",
                       **environment_of(workflow.get("env")), **self.overrides}
        jobs = dict(workflow["jobs"])
        while jobs:
            ready = next(job for job, entry in jobs.items() if not set(self.needs(entry)) & set(jobs))
            self.job(ready, jobs.pop(ready), {"github": github, "inputs": inputs, "env": environment}, environment, payload)

    @staticmethod
    def needs(entry):
        needs = entry.get("needs", [])
        return [needs] if isinstance(needs, str) else needs

    def job(self, name, entry, context, environment, payload):
        unknown = set(entry) - JOB_KEYS
        if unknown:
            raise CannotRun(f"job {name} has unknown keys: {', '.join(sorted(unknown))}")
        needed_failed = any(self.results.get(need) != "success" for need in self.needs(entry))
        if not condition(entry.get("if", "success()"), context, needed_failed):
            self.results[name] = "skipped"
            return print(f"job {name}: skipped")
        matrix = entry.get("strategy", {}).get("matrix", {})
        entries = [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())]
        results = []
        for number, values in enumerate(entries, 1):
            title = name + (f" ({', '.join(map(str, values.values()))})" if values else "")
            print(f"\n=== job: {title}", file=self.log)
            machine = Machine(self.base, self.work / f"machine-{name}-{number}", self.server, self.log, self.artifacts)
            try:
                for folder in (WORKSPACE, TEMP):
                    machine.path(folder).mkdir(parents=True)
                machine.write(f"{TEMP}/event.json", json.dumps(payload))
                job = Job(self, machine, {**context, "matrix": values, "runner": {"temp": TEMP}, "strategy": {"job-total": str(len(entries))}},
                          {**environment, **environment_of(entry.get("env")), "GITHUB_JOB": name})
                job.steps(entry["steps"])
                self.summaries[title] = machine.read(f"{TEMP}/summary")
            finally:
                machine.close()
            results.append("failure" if job.failed else "success")
            print(f"job {title}: {results[-1]}", flush=True)
        self.results[name] = "success" if set(results) == {"success"} else "failure"
