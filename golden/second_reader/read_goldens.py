#!/usr/bin/env python3
"""A second reader of golden stores, which shares no code with ours.

  read_goldens.py [--old FOLDER]... FOLDER...    golden folders

--old: records in FOLDER may contain `-0` and `1e-45`, which YAML 1.1 reads as an integer and a string.

Reads each record with PyYAML (YAML 1.1), encodes the payload of each golden from its values and the layouts in force,
and compares it with the bytes in the pack. Uses numbers as YAML resolves them. Therefore the test fails if PyYAML reads
a value differently, or if the page docs/formats/golden-store.md lacks information that a reader needs.

Exit: 0 all agree, 1 some do not, 2 usage.
"""
import glob
import os
import re
import struct
import sys

import yaml

NUMBERS = {"bool": "<B", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q",
           "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q", "f32": "<f", "f64": "<d"}


class Wrong(Exception):
    pass


class Value:
    """A scalar as PyYAML composed it: its text, whether it was quoted, and the value to which PyYAML resolves it."""

    def __init__(self, node, loader):
        self.text = node.value
        self.quoted = node.style == '"'
        self.resolved = None if self.quoted else loader.construct_object(node, deep=True)


def compose(path):
    with open(path, encoding="utf-8", newline="") as file:
        loader = yaml.SafeLoader(file.read())
        loader.name = path
        try:
            return convert(loader.get_single_node(), loader)
        finally:
            loader.dispose()


def is_word(resolved):
    return isinstance(resolved, (str, int, float)) and not isinstance(resolved, bool)


def convert(node, loader):
    if isinstance(node, yaml.MappingNode):
        entries = {}
        for key, value in node.value:
            if not is_word(loader.construct_object(key, deep=True)):  # numbers are fine, because fields may have no names
                raise Wrong(f"{loader.name}: the key {key.value} is a bool or null to YAML 1.1")
            entries[key.value] = convert(value, loader)
        return entries
    if isinstance(node, yaml.SequenceNode):
        return [convert(value, loader) for value in node.value]
    return Value(node, loader)


def read_pack(path):
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"rvgold\x01\n":
        raise Wrong(f"{path}: not a payload pack")
    (count,) = struct.unpack_from("<I", data, 8)
    at, payloads = 12 + 12 * count, {}
    for i in range(count):
        hash_, size = struct.unpack_from("<QI", data, 12 + 12 * i)
        payloads[f"{hash_:016x}"] = data[at:at + size]
        at += size
    if at != len(data):
        raise Wrong(f"{path}: extra bytes after the last payload")
    return payloads


def split_type(text):
    """Splits a wire type: `map<string,vector<u8>>` becomes ("map", ["string", "vector<u8>"])."""
    begin = text.find("<")
    if begin < 0 or not text.endswith(">"):
        return text, []
    parts, depth, last = [], 0, begin + 1
    for i in range(begin + 1, len(text) - 1):
        depth += {"<": 1, ">": -1}.get(text[i], 0)
        if text[i] == "," and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return text[:begin], parts + [text[last:-1]]


class Store:
    def __init__(self, folder):
        self.records = []
        for path in glob.glob(os.path.join(folder, "*.yaml")):
            record = compose(path)
            if record["version"].text != "1":
                raise Wrong(f"{path}: version {record['version'].text}")
            self.records.append((int(record["number"].text), "+" in os.path.basename(path), path, record))
        self.records.sort(key=lambda entry: entry[:3])

    def in_force(self, number):
        """Returns the layouts and enums at a revision, which are the last ones recorded up to it."""
        types, enums = {}, {}
        for at, _, _, record in self.records:
            if at > number:
                break
            types.update({layout["type"].text: layout for layout in record["types"]})
            enums.update({layout["type"].text: layout for layout in record["enums"]})
        return types, enums


def encode_text(value):
    if not value.quoted:
        raise Wrong(f"text that is not quoted: {value.text}")
    if value.text.startswith("\0hex:"):
        data = bytes.fromhex(value.text[5:])
    else:
        data = value.text.encode("utf-8")
    return struct.pack("<I", len(data)) + data


def encode_number(kind, value, old):
    text = value.text
    if old and kind in ("f32", "f64") and not value.quoted and re.fullmatch(r"-0|-?\d+e[-+]\d+", text):
        value.resolved = float(text)
    if kind == "bool":
        return struct.pack("<B", {False: 0, True: 1}[value.resolved])
    if kind not in ("f32", "f64"):
        return struct.pack(NUMBERS[kind], value.resolved)
    if value.quoted or text in ("NaN", "Infinity", "-Infinity"):  # words
        if text.startswith("NaN:"):
            bits = int(text[4:], 16)
            return struct.pack("<I" if kind == "f32" else "<Q", bits)
        if text == "NaN":
            return struct.pack("<I", 0x7FC00000) if kind == "f32" else struct.pack("<Q", 0x7FF8000000000000)
        return struct.pack(NUMBERS[kind], float(text.replace("Infinity", "inf")))
    return struct.pack(NUMBERS[kind], value.resolved)


def encode_bits(count, value):
    if not value.quoted or len(value.text) != count:
        raise Wrong(f"expected {count} bits: {value.text}")
    return int(value.text, 2).to_bytes((count + 7) // 8, "little")


class Walk:
    """Finds the wire type of a leaf by its path."""

    def __init__(self, types, enums):
        self.types, self.enums = types, enums
        self.aligned, self.zeros = set(), None

    def find(self, type_, path):
        self.path, self.zeros = re.sub(r"~\d+$", "", path), None
        return self.descend(type_, self.path)

    def descend(self, type_, path):
        """Returns the type of the leaf, or None if the path does not lead to a leaf in this type."""
        name, parts = split_type(type_)
        if name in ("optional", "unique_ptr"):
            return "u8" if path == "#present" else self.descend(parts[0], path)
        if name == "aligned":
            # Zeros precede it, so that its first byte, or its first element after the count, is aligned.
            found = self.descend(parts[1], path)
            if self.path.removesuffix(path) not in self.aligned:
                self.aligned.add(self.path.removesuffix(path))
                self.zeros = (int(parts[0]), 4 if path == "#count" or found == "string" else 0)
            return found
        if name == "variant":
            if path == "#index":
                return "u8"
            return self.descend(parts[self.index], path)
        if path == "#count":
            return "u32"
        if path == "#integrity":
            return "u32"
        step = re.match(r"(#key)?\[(\d+)\](.*)$", path, re.S)
        if step and parts:
            key, index, rest = step.groups()
            if name == "map":
                return self.descend(parts[0 if key else 1], rest)
            if name in ("pair", "tuple"):
                return self.descend(parts[int(index)], rest)
            return self.descend(parts[0], rest)
        if path == "":
            return type_
        return self.field(type_, path.removeprefix("."))

    def in_object(self, path):
        """Returns the type of a leaf of an object in a stream: its size, or a leaf below the name of its class."""
        if path == "size":
            return "u32"
        if path == "dropped":
            return "string"
        name = re.match(r"[^.\[#]*", path).group()
        own = [type_ for type_ in self.types if type_.split("::")[-1] == name]
        for type_ in own or self.types:
            found = self.descend(type_, path[len(name):])
            if found is not None:
                return found
        return None

    def field(self, type_, path):
        if type_ == "object":
            return self.in_object(path)
        layout = self.types.get(type_)
        if layout is None:
            return None
        for field in layout["fields"]:
            name = field["name"].text if "name" in field else ""
            if name and not path.startswith(name):
                continue
            rest = path[len(name):]
            if name and rest and rest[0] not in ".[#":
                continue
            found = self.descend(field["type"].text, rest)
            if found is not None:
                return found
        return None


def encode_case(case, types, enums, old):
    walk = Walk(types, enums)
    out, indices, part = b"", {}, 0
    for path, value in case["values"].items():
        # The `#index` leaf of a variant selects its alternative. Use the innermost variant around this path.
        walk.index = indices.get(max((p for p in indices if path.startswith(p)), key=len, default=""), 0)
        wire = walk.find(case["type"].text, "" if path == "value" else
                         path if path[0] in "[#" else "." + path)
        if wire is None:
            raise Wrong(f"{path}: no layout contains this path")
        if path.endswith("#index"):
            indices[path[:-len("#index")]] = int(value.text)
        name, parts = split_type(wire)
        if walk.zeros:
            out += bytes(-(len(out) - part + walk.zeros[1]) % walk.zeros[0])
        if name == "bitset":
            out += encode_bits(int(parts[0]), value)
        elif wire == "string":
            out += encode_text(value)
        elif wire in enums:
            layout = enums[wire]
            if not value.quoted and not is_word(value.resolved):  # a number where the value has no name
                raise Wrong(f"{path}: {value.text} is a bool or null to YAML 1.1")
            known = {key: int(number.text) for key, number in layout["values"].items()}
            number = known[value.text] if value.text in known else int(value.text)
            out += struct.pack(NUMBERS[layout["underlying"].text], number)
        elif wire in NUMBERS:
            try:
                out += encode_number(wire, value, old)
            except (KeyError, ValueError, TypeError, struct.error) as error:
                raise Wrong(f"{path}: {value.text} as {wire}: {error}") from error
        else:
            raise Wrong(f"{path}: {wire} is not the type of a single value")
        if path.endswith("].size"):  # the object's own bytes begin here
            part = len(out)
    return out


def main(arguments):
    old, folders = set(), []
    while arguments:
        is_old = arguments[0] == "--old" and len(arguments) > 1
        if is_old:
            old.add(arguments[1])
        elif not arguments[0].startswith("-"):
            folders.append(arguments[0])
        else:
            break
        arguments = arguments[2 if is_old else 1:]
    if arguments or not folders:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    cases = values = wrong = 0
    for folder in folders:
        store = Store(folder)
        if not store.records:
            print(f"{folder}: no records")
            wrong += 1
        for number, _, path, record in store.records:
            payloads = read_pack(path.removesuffix(".yaml") + ".golden")
            types, enums = store.in_force(number)
            for case in record["cases"]:
                where = f"{path}: {case['type'].text} {case['name'].text}"
                try:
                    made = encode_case(case, types, enums, folder in old)
                    payload = payloads[case["hash"].text]
                    if made != payload:
                        at = next((i for i, (a, b) in enumerate(zip(made, payload)) if a != b),
                                  min(len(made), len(payload)))
                        raise Wrong(f"the values encode to {len(made)} bytes, the pack has {len(payload)}; byte {at} differs")
                except Wrong as error:
                    print(f"{where}: {error}")
                    wrong += 1
                cases += 1
                values += len(case["values"])
    print(f"{cases} goldens with {values} values in {len(folders)} folders; {wrong} wrong")
    sys.exit(1 if wrong or not cases else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
