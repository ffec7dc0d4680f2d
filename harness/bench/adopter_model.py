"""A made-up game with many types and many revisions: the types' fields at each revision, values, and their bytes.

The encoder follows docs/formats/save-file.md and shares no code with the library.
"""

import random
import struct

SCALARS = {  # wire type: C++ type, struct format
    "i8": ("std::int8_t", "<b"), "i16": ("std::int16_t", "<h"), "i32": ("std::int32_t", "<i"),
    "i64": ("std::int64_t", "<q"), "u8": ("std::uint8_t", "<B"), "u16": ("std::uint16_t", "<H"),
    "u32": ("std::uint32_t", "<I"), "u64": ("std::uint64_t", "<Q"), "f32": ("float", "<f"),
    "f64": ("double", "<d"), "bool": ("bool", "<B"),
}
COLORS = ["Red", "Green", "Blue"]
CONTAINERS = {
    "string": "std::string", "vector<i32>": "std::vector<std::int32_t>", "map<string,u16>": "std::map<std::string, std::uint16_t>",
    "optional<f32>": "std::optional<float>", "array<u8,4>": "std::array<std::uint8_t, 4>", "game::Color": "game::Color",
}
KINDS = list(SCALARS) + list(CONTAINERS)


class Field:
    """A member that exists from revision `since` until before revision `until` (None: to the end)."""

    def __init__(self, name, kind, since):
        self.name, self.kind, self.since, self.until = name, kind, since, None

    def lives(self, revision):
        return self.since <= revision and (self.until is None or revision < self.until)


class Type:
    """A record. `part` is a shared record in the vector `parts`, or None."""

    def __init__(self, name, since):
        self.name, self.since, self.fields, self.part = name, since, [], None

    def at(self, revision):
        return [f for f in self.fields if f.lives(revision)]


class Game:
    """Revision 1 has every type. Each later revision adds a field to a type.

    Every third revision removes a field instead, if the type has three added fields. Every 20th revision changes a record that
    ten types share.
    """

    def __init__(self, revisions, types, seed):
        self.random = random.Random(seed)
        self.revisions = revisions
        self.shared = [Type(f"Part{i}", 1) for i in range(max(1, types // 10))]
        self.types = [Type(f"Type{i}", 1) for i in range(types)]
        for record in self.shared + self.types:
            for n in range(4):
                record.fields.append(Field(f"first{n}", KINDS[(n * 5 + len(record.name) + int(record.name[4:])) % len(KINDS)], 1))
        for i, record in enumerate(self.types):
            record.part = self.shared[i % len(self.shared)]
        self.changed = {1: list(self.shared) + list(self.types)}
        for revision in range(2, revisions + 1):
            k = revision // 20
            record = self.shared[k % len(self.shared)] if revision % 20 == 0 else self.types[(revision * 7) % types]
            alive = [f for f in record.at(revision) if f.since > 1]
            if len(alive) > 2 and revision % 3 == 0:
                alive[0].until = revision
            else:
                record.fields.append(Field(f"added{revision}", KINDS[(revision * 11) % len(KINDS)], revision))
            self.changed[revision] = [record]

    def roots_changed(self, revision):
        changed = self.changed[revision]
        return [t for t in self.types if t in changed or t.part in changed]

    def name(self, revision):
        return "SR_INITIAL" if revision == 1 else f"SR_CHANGE_{revision}"


def value_of(kind, r):
    """Returns a value that reveals mistakes: often negative, different with swapped bytes, not ASCII, with several elements."""
    if kind == "bool":
        return r.random() < 0.5
    if kind in ("f32", "f64"):
        return r.randrange(-4000, 4000) / 8
    if kind in SCALARS:
        bits = int(kind[1:])
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if kind[0] == "i" else (0, (1 << bits) - 1)
        return r.randrange(low, high)
    if kind == "string":
        return "Zoë " + str(r.randrange(10 ** 6))
    if kind == "vector<i32>":
        return [r.randrange(-(1 << 31), 1 << 31) for _ in range(r.randrange(2, 5))]
    if kind == "map<string,u16>":
        return {f"k{r.randrange(1000):03}": r.randrange(1 << 16) for _ in range(2)}
    if kind == "optional<f32>":
        return None if r.random() < 0.3 else r.randrange(-100, 100) / 4
    if kind == "array<u8,4>":
        return [r.randrange(256) for _ in range(4)]
    return r.choice(COLORS)


def default_of(kind):
    """Returns a field's value in a fresh object."""
    return {"string": "", "vector<i32>": [], "map<string,u16>": {}, "optional<f32>": None, "array<u8,4>": [0] * 4,
            "game::Color": "Red", "bool": False}.get(kind, 0)


def make(record, revision, r):
    value = {f.name: value_of(f.kind, r) for f in record.at(revision)}
    if record.part:
        value["parts"] = [make(record.part, revision, r) for _ in range(2)]
    return value


def encode(kind, value):
    def text(s):
        b = s.encode()
        return struct.pack("<I", len(b)) + b

    if kind in SCALARS:
        return struct.pack(SCALARS[kind][1], value)
    if kind == "string":
        return text(value)
    if kind == "vector<i32>":
        return struct.pack("<I", len(value)) + b"".join(struct.pack("<i", v) for v in value)
    if kind == "map<string,u16>":
        return struct.pack("<I", len(value)) + b"".join(text(k) + struct.pack("<H", value[k]) for k in sorted(value))
    if kind == "optional<f32>":
        return b"\0" if value is None else b"\1" + struct.pack("<f", value)
    if kind == "array<u8,4>":
        return bytes(value)
    return bytes([COLORS.index(value)])


def encode_record(record, revision, value):
    out = b"".join(encode(f.kind, value.get(f.name, default_of(f.kind))) for f in record.at(revision))
    if record.part:
        out += struct.pack("<I", len(value["parts"]))
        out += b"".join(encode_record(record.part, revision, part) for part in value["parts"])
    return out


def number_text(value):
    return str(int(value)) if value == int(value) else repr(value)


def leaves(record, revision, value, at=""):
    """Returns the path and the text of every value as in the store."""
    out = []
    for f in record.at(revision):
        v, path = value.get(f.name, default_of(f.kind)), at + f.name
        if f.kind == "bool":
            out.append((path, "true" if v else "false"))
        elif f.kind in SCALARS:
            out.append((path, number_text(v)))
        elif f.kind == "string":
            out.append((path, f'"{v}"'))
        elif f.kind == "vector<i32>":
            out.append((path + "#count", str(len(v))))
            out += [(f"{path}[{i}]", str(x)) for i, x in enumerate(v)]
        elif f.kind == "map<string,u16>":
            out.append((path + "#count", str(len(v))))
            for i, key in enumerate(sorted(v)):
                out += [(f"{path}#key[{i}]", f'"{key}"'), (f"{path}[{i}]", str(v[key]))]
        elif f.kind == "optional<f32>":
            out.append((path + "#present", "0" if v is None else "1"))
            if v is not None:
                out.append((path, number_text(v)))
        elif f.kind == "array<u8,4>":
            out += [(f"{path}[{i}]", str(x)) for i, x in enumerate(v)]
        else:
            out.append((path, v))
    if record.part:
        out.append((at + "parts#count", str(len(value["parts"]))))
        for i, part in enumerate(value["parts"]):
            out += leaves(record.part, revision, part, f"{at}parts[{i}].")
    return out


def size_of(kind):
    if kind in SCALARS:
        return struct.calcsize(SCALARS[kind][1])
    return {"array<u8,4>": 4, "game::Color": 1}.get(kind, 0)
