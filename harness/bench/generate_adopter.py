#!/usr/bin/env python3
"""Writes a complete adopter: list, types, CMake project, and a golden store that is generated without our code.

  generate_adopter.py FOLDER [--revisions 1000] [--types 100] [--goldens 4] [--seed 1]

--goldens is the number of goldens of each root type at each revision that changes it.
"""

import argparse
import os
import random
import struct

import adopter_model as model
from xxh64 import xxh64

SOURCES = 4  # number of files for the types, so that several cores can compile them


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def cpp_type(kind):
    return model.SCALARS[kind][0] if kind in model.SCALARS else model.CONTAINERS[kind]


def cpp_record(game, record):
    """Returns the struct and its body as in the current code, with a REM for each removed field."""
    members = [f"  {cpp_type(f.kind)} {f.name}{{}};" for f in record.fields if f.until is None]
    visits = []
    for f in record.fields:
        if f.until is None:
            visits.append(f"  ADD({game.name(f.since)}, {f.name});")
        else:
            # In a macro, a type with a comma would be two arguments.
            kind = cpp_type(f.kind) if "," not in cpp_type(f.kind) else f"{f.name}_type"
            if kind != cpp_type(f.kind):
                visits.append(f"  using {kind} = {cpp_type(f.kind)};")
            visits.append(f"  REM({game.name(f.since)}, {game.name(f.until)}, {kind}, {f.name}, {{}});")
    if record.part:
        members.append(f"  std::vector<{record.part.name}> parts;")
        visits.append("  ADD(SR_INITIAL, parts);")
    return "struct %s {\n%s\n};\nSERIALIZE_TYPE(%s) {\n%s\n}\nSERIALIZE_END\n" % (
        record.name, "\n".join(members), record.name, "\n".join(visits))


def sources(game, folder):
    entries = "\n".join(f"  {game.name(n)} = {n}," for n in range(1, game.revisions + 1))
    write(folder, "master_version_list.h", f"#pragma once\nenum Revision {{\n{entries}\n}};\n")
    includes = "".join(f"#include <{h}>\n" for h in ("array", "cstdint", "map", "optional", "string", "vector"))
    shared = "\n".join(cpp_record(game, record) for record in game.shared)
    write(folder, "shared.h", "#pragma once\n#include <revctl/harness.h>\n" + includes +
          '#include "master_version_list.h"\nnamespace game {\nenum class Color : std::uint8_t { Red, Green, Blue };\n' + shared + "}\n")
    for i in range(SOURCES):
        own = game.types[i::SOURCES]
        text = '#include "shared.h"\nnamespace game {\n' + "\n".join(cpp_record(game, t) for t in own)
        text += "".join(f"HARNESS_TYPE({t.name}, SR_INITIAL);\n" for t in own) + "}\n"
        write(folder, f"types{i}.cpp", text)
    files = " ".join(f"types{i}.cpp" for i in range(SOURCES))
    write(folder, ".revctl.yaml", "version: 1\nlists:\n  - path: master_version_list.h\n    name: main\n    prefix: SR_\n"
          "    golden: golden\ntarget: main\nreservation: optional\n")
    write(folder, "CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.20)
project(adopter LANGUAGES CXX)
find_package(revctl REQUIRED)
add_library(types OBJECT {files})
target_link_libraries(types PRIVATE revctl::revctl)
revctl_add_harness(adopter_harness LIST master_version_list.h GOLDEN golden SOURCES $<TARGET_OBJECTS:types>)
# For the benchmark: the same types with another main().
if(REVCTL_ROOT)
  get_target_property(sources adopter_harness SOURCES)
  get_target_property(folders adopter_harness INCLUDE_DIRECTORIES)
  add_executable(decode_rate ${{REVCTL_ROOT}}/harness/bench/decode_rate.cpp ${{sources}})
  target_include_directories(decode_rate PRIVATE ${{REVCTL_ROOT}} ${{folders}})
  target_link_libraries(decode_rate PRIVATE revctl::harness revctl::revctl)
endif()
""")


def layout_text(game, record, revision):
    lines = [f'  - type: "game::{record.name}"']
    compared = sorted({n for f in record.fields if f.since <= revision for n in (f.since, f.until) if n} | ({1} if record.part else set()))
    lines.append("    compared: [" + ", ".join(str(n) for n in compared if n <= revision) + "]")
    lines.append("    fields:")

    def field(f):
        kind = f'"{f.kind}"' if "::" in f.kind or "," in f.kind else f.kind
        size = f", size: {model.size_of(f.kind)}" if model.size_of(f.kind) else ""
        return f"{{name: {f.name}, type: {kind}{size}, form: add, since: {game.name(f.since)}, from: {f.since}}}"

    lines += ["      - " + field(f) for f in record.at(revision)]
    if record.part:
        lines.append(f'      - {{name: parts, type: "vector<game::{record.part.name}>", form: add, since: SR_INITIAL, from: 1}}')
    return "\n".join(lines)


def changes(before, after):
    """Returns the changes that turn one list of leaves into the other: changed and removed leaves first, then new ones."""
    then, now = dict(before), dict(after)
    out = [(p, t, now.get(p)) for p, t in before if now.get(p) != t]
    return out + [(p, None, t) for p, t in after if p not in then]


class Store:
    """The goldens of all revisions so far, with their upgraded values."""

    def __init__(self, game, folder, goldens, seed):
        self.game, self.folder, self.goldens = game, folder, goldens
        self.random = random.Random(seed)
        self.older = {}  # type name: [(id, value, upgraded leaves)]

    def record(self, revision):
        game, name = self.game, self.game.name(revision)
        out = [f"version: 1\nrevision: {name}\nnumber: {revision}\nlineage: \"0000000000000000\"\nrecorded:\n  by: record\n"
               f"  code: {name}\n  compiler: \"none\"\n  revctl: 0.1.0\n  seed: 1\ntypes:"]
        out += [layout_text(game, record, revision) for record in game.changed[revision]]
        out.append("enums:\n  - {type: \"game::Color\", underlying: u8, values: {Red: 0, Green: 1, Blue: 2}}" if revision == 1 else "enums: []")
        upgrades = self.upgrades(revision)
        payloads, cases = {}, []
        for root in game.roots_changed(revision):
            for n in range(self.goldens):
                value = model.make(root, revision, self.random)
                payload = model.encode_record(root, revision, value)
                payloads[xxh64(payload)] = payload
                read = model.leaves(root, revision, value)
                cases.append(f'  - type: "game::{root.name}"\n    name: made-{n}\n    size: {len(payload)}\n    hash: "{xxh64(payload):016x}"\n'
                             "    values:\n" + "\n".join(f"      {path}: {text}" for path, text in read))
                self.older.setdefault(root.name, []).append([f"{name}/made-{n}", value, read])
        out += ["cases:\n" + "\n".join(cases) if cases else "cases: []", upgrades]
        write(self.folder, f"golden/{name}.yaml", "\n".join(out) + "\n")
        pack = b"rvgold\1\n" + struct.pack("<I", len(payloads))
        pack += b"".join(struct.pack("<QI", h, len(payloads[h])) for h in sorted(payloads))
        write(self.folder, f"golden/{name}.golden", pack + b"".join(payloads[h] for h in sorted(payloads)))
        return len(cases)

    def upgrades(self, revision):
        groups = {}
        for root in self.game.roots_changed(revision) if revision > 1 else []:
            for golden in self.older.get(root.name, []):
                now = model.leaves(root, revision, golden[1])
                changed = tuple(changes(golden[2], now))
                golden[2] = now
                if changed:
                    groups.setdefault((root.name, changed), []).append(golden[0])
        if not groups:
            return "upgrades: []"
        out = ["upgrades:"]
        for (root, changed), ids in groups.items():
            out.append(f'  - type: "game::{root}"\n    cases: [{", ".join(ids)}]\n    changes:')
            out += [f"      {path}: [{'~' if before is None else before}, {'~' if after is None else after}]" for path, before, after in changed]
        return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--revisions", type=int, default=1000)
    parser.add_argument("--types", type=int, default=100)
    parser.add_argument("--goldens", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = model.Game(arguments.revisions, arguments.types, arguments.seed)
    sources(game, arguments.folder)
    store = Store(game, arguments.folder, arguments.goldens, arguments.seed)
    count = sum(store.record(revision) for revision in range(1, arguments.revisions + 1))
    print(f"{arguments.types} types, {arguments.revisions} revisions, {count} goldens -> {arguments.folder}")


if __name__ == "__main__":
    main()
