#!/usr/bin/env python3
"""Measures `check` and `sweep` with made-up adopters: 100 types at 250, 500 and 1,000 revisions, and saves of 16 MiB.

  sweep_bench.py PACKAGE WORK [--json] [--revisions 250,500,1000] [--types 100] [--rounds 3] [--only-large]

PACKAGE: an installed revctl. WORK: a folder for the adopters; existing builds in it are used again. Times are CPU time (user and
system) of all processes of a command, as the median of the rounds, next to wall-clock time. Memory is the peak of all processes
together, measured in a separate run, with shared memory counted once. Exit: 0 all adopters pass, 1 one does not.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def say(*words):
    print("==", *words, file=sys.stderr, flush=True)


def run(*command, **options):
    subprocess.run(command, check=True, stdout=sys.stderr, **options)


def memory_of(pid):
    """Returns the memory in bytes of a process and its children, with shared memory counted once, or 0 if the process has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            own = sum(int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:"))
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            return own + sum(memory_of(int(child)) for child in children.read().split())
    except OSError:
        return 0


def peak_memory(*command):
    """Returns the peak memory in MB of all processes of a command together, sampled every few milliseconds."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        most = max(most, memory_of(process.pid))
        time.sleep(0.005)
    return most / 1e6


def measured(*command):
    """Returns the exit status, the CPU time and the wall-clock time in seconds (including children), and stderr."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    return {"exit": os.waitstatus_to_exitcode(status), "core": usage.ru_utime + usage.ru_stime,
            "wall": time.monotonic() - begin, "said": said}


def build(package, work, revisions, types):
    folder = os.path.join(work, f"r{revisions}-t{types}")
    if not os.path.exists(os.path.join(folder, "generated")):
        shutil.rmtree(folder, ignore_errors=True)
        run(sys.executable, os.path.join(HERE, "generate_adopter.py"), folder, "--revisions", str(revisions), "--types", str(types))
        open(os.path.join(folder, "generated"), "w").close()
    say(f"build the adopter of {revisions} revisions")
    run("cmake", "-S", folder, "-B", folder + "/build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={package}",
        f"-DREVCTL_ROOT={ROOT}")
    run("cmake", "--build", folder + "/build")
    return folder


LARGE = 20  # number of goldens of 16 MiB


def measure_large(package, work, rounds):
    """Returns the rows for a store with large goldens: the cost of commands compared with loading and saving each file once."""
    folder, saves = os.path.join(work, "large"), os.path.join(work, "large", "saves")
    say("build the adopter with large saves")
    shutil.copytree(os.path.join(HERE, "large_saves"), folder, dirs_exist_ok=True)
    run("cmake", "-S", folder, "-B", folder + "/build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={package}")
    run("cmake", "--build", folder + "/build")
    program, now, following = (f"{folder}/build/{name}" for name in ("load_and_save", "now_harness", "next_harness"))
    golden = ["--golden", folder + "/golden"]
    if not os.path.exists(folder + "/golden/complete"):
        shutil.rmtree(saves, ignore_errors=True)
        shutil.rmtree(folder + "/golden", ignore_errors=True)
        os.makedirs(saves)
        run(program, "make", saves, str(LARGE))
        run(now, "record", "--allow-ci", *golden)
        run(now, "import", saves, *golden)
        open(folder + "/golden/complete", "w").close()
    commands = {"load and save each once": [program, "once", saves], "check": [now, "check", *golden],
                "sweep": [now, "sweep", "--fuzz", "0", *golden], "record": [following, "record", "--allow-ci", *golden]}
    runs = {name: [] for name in commands}
    memory = {}

    def forget():  # removes the output of `record`, so that the next run does the same work
        for name in os.listdir(folder + "/golden"):
            path = os.path.join(folder, "golden", name)
            if name.startswith("SR_ARMOUR"):
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    for _ in range(rounds):
        for name, words in commands.items():
            result = measured(*words)
            forget()
            if result["exit"] != 0:
                say(f"large saves: {name} exits {result['exit']}\n{result['said']}")
                sys.exit(1)
            runs[name].append(result["core"])
    for name, words in commands.items():
        memory[name] = peak_memory(*words)
        forget()
    case, once = f"{LARGE} goldens of 16 MiB", "load and save each once"
    rows = []
    for name in commands:
        core = median(runs[name])
        ratio = None if name == once else round(core / median(runs[once]), 2)
        rows.append({"bench": "sweep", "case": case, "contender": "revctl", "op": name, "value": round(core, 2), "unit": "s", "ratio": ratio,
                     "against": once if ratio else None})
        if ratio:
            rows[-1].update(target=3, met=ratio <= 3)
        rows.append({"bench": "sweep", "case": case, "contender": "revctl", "op": name + " memory", "value": round(memory[name]), "unit": "MB",
                     "ratio": None, "against": None})
        if ratio:
            rows[-1].update(target=3 * 16.8, met=memory[name] <= 3 * 16.8)
    return rows


def store_in_git(folder):
    """Returns the size in bytes of a packed git repository that contains only the golden folder."""
    repository = os.path.join(folder, "git")
    shutil.rmtree(repository, ignore_errors=True)
    run("git", "init", "-q", repository)
    shutil.copytree(os.path.join(folder, "golden"), os.path.join(repository, "golden"))
    run("git", "-C", repository, "add", "golden")
    run("git", "-C", repository, "-c", "user.name=bench", "-c", "user.email=bench", "commit", "-qm", "goldens")
    run("git", "-C", repository, "gc", "-q")
    pack = os.path.join(repository, ".git", "objects", "pack")
    size = sum(os.path.getsize(os.path.join(pack, f)) for f in os.listdir(pack))
    shutil.rmtree(repository)
    return size


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package")
    parser.add_argument("work")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--revisions", default="250,500,1000")
    parser.add_argument("--types", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only-large", action="store_true", help="only the store with large goldens")
    arguments = parser.parse_args()
    if arguments.only_large:
        return show_large(measure_large(arguments.package, arguments.work, arguments.rounds), arguments.json)

    sizes = [int(n) for n in arguments.revisions.split(",")]
    folders = {n: build(arguments.package, arguments.work, n, arguments.types) for n in sizes}
    commands = {"check": ["check"], "sweep": ["sweep", "--fuzz", "0"]}
    runs = {(n, c): [] for n in sizes for c in commands}
    for _ in range(arguments.rounds):  # interleaved, so that load on the machine affects all commands equally
        for n in sizes:
            for name, words in commands.items():
                result = measured(folders[n] + "/build/adopter_harness", *words)
                if result["exit"] != 0:
                    print(f"the adopter of {n} revisions does not pass: {name} exits {result['exit']}\n{result['said']}")
                    return 1
                runs[n, name].append(result)
    rows = []

    def row(n, op, value, unit, ratio=None):
        rows.append({"bench": "sweep", "case": f"{n} revisions, {arguments.types} types", "contender": "revctl", "op": op, "value": value,
                     "unit": unit, "ratio": ratio, "against": f"{sizes[0]} revisions" if ratio else None})

    for n in sizes:
        goldens = sum(1 for f in os.listdir(folders[n] + "/golden") if f.endswith(".yaml")
                      for line in open(os.path.join(folders[n], "golden", f)) if line.startswith("    hash:"))
        row(n, "goldens", goldens, "")
        for name in commands:
            core = median([r["core"] for r in runs[n, name]])
            row(n, name, round(core, 3), "s", round(core / rows_value(rows, sizes[0], name, core), 2))
            row(n, name + ", on the wall", round(median([r["wall"] for r in runs[n, name]]), 3), "s")
            row(n, name + " memory", round(peak_memory(folders[n] + "/build/adopter_harness", *commands[name]), 1), "MB")
        row(n, "store in git", round(store_in_git(folders[n]) / 1e6, 2), "MB")
        rate = json.loads(subprocess.run([folders[n] + "/build/decode_rate", "0.3"], check=True, stdout=subprocess.PIPE).stdout)
        for name in rate:
            against = "reader on damaged" if name == "hostile" else "reader"
            row(n, "decode: " + name, round(rate[name]), "payloads/s")
            rows[-1]["ratio"], rows[-1]["against"] = round(rate[name] / rate[against], 2), against
    judge(rows, sizes[-1])
    large = measure_large(arguments.package, arguments.work, arguments.rounds)
    if arguments.json:
        print(json.dumps({"version": 1, "rows": rows + large}))
        return 0
    operations = list(dict.fromkeys(r["op"] for r in rows))
    print("| | " + " | ".join(f"{n} revisions" for n in sizes) + " |\n|---|" + "---|" * len(sizes))
    for op in operations:
        cells = []
        for r in (r for r in rows if r["op"] == op):
            ratio = f" ({r['ratio']} of {r['against']})" if r["ratio"] not in (None, 1.0) else ""
            cells.append(f"{r['value']:,} {r['unit']}{ratio}".strip())
        print(f"| {op} | " + " | ".join(cells) + " |")
    print("\ntargets")
    for r in (r for r in rows if "target" in r):
        value, unit = (r["ratio"], " of " + r["against"]) if r["op"] in AT_LEAST else (r["value"], " " + r["unit"])
        bound = "at least" if r["op"] in AT_LEAST else "below"
        print(f"{r['case']}, {r['op']}: {value}{unit}, {bound} {r['target']}: {'met' if r['met'] else 'MISSED'}")
    return show_large(large, False)


def show_large(rows, as_json):
    if as_json:
        print(json.dumps({"version": 1, "rows": rows}))
        return 0
    print(f"\n| {rows[0]['case']} | core | memory | |\n|---|---|---|---|")
    for time, memory in zip(rows[::2], rows[1::2]):
        ratio = f" ({time['ratio']} times)" if time["ratio"] else ""
        met = "" if "met" not in time else "met" if time["met"] and memory["met"] else "MISSED"
        print(f"| {time['op']} | {time['value']} {time['unit']}{ratio} | {memory['value']} {memory['unit']} | {met} |")
    return 0


# Limits for 1,000 revisions of 100 types, which smaller adopters must meet as well.
BELOW = {"check, on the wall": 5, "check memory": 500, "store in git": 50, "sweep, on the wall": 30}
AT_LEAST = {"decode: hostile": 0.5}  # minimum ratios


def judge(rows, revisions):
    """Adds to each of the largest adopter's rows whether it meets its target, if it has one."""
    for r in rows:
        if not r["case"].startswith(f"{revisions} revisions"):
            continue
        if r["op"] in BELOW:
            r.update(target=BELOW[r["op"]], met=r["value"] < BELOW[r["op"]])
        if r["op"] in AT_LEAST:
            r.update(target=AT_LEAST[r["op"]], met=r["ratio"] >= AT_LEAST[r["op"]])


def rows_value(rows, revisions, op, otherwise):
    for r in rows:
        if r["op"] == op and r["case"].startswith(f"{revisions} revisions"):
            return r["value"]
    return otherwise


if __name__ == "__main__":
    sys.exit(main())
