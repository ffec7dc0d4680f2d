// Reads every golden in a store with the description that `schema --format ksy` prints for its
// revision, and compares every value with the recorded value. Our own code only prints the
// description.
//
//   node read_goldens.js MODULES HARNESS GOLDEN_FOLDER TYPE [SAVE_FILE...]
//
// MODULES: a node_modules folder with kaitai-struct-compiler, kaitai-struct and js-yaml. A
// SAVE_FILE is read as a whole file, with the description for the revision in its header. Exit: 0
// all values agree, 1 a value differs.
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');

const [modules, harness, folder, type, ...saves] = process.argv.slice(2);
const need = createRequire(path.resolve(modules, 'anchor.js'));
const yaml = need('js-yaml');
const compiler = need('kaitai-struct-compiler');
const KaitaiStream = need('kaitai-struct/KaitaiStream');

// Decodes text like the store: a byte order mark is part of the text, and invalid UTF-8 becomes hex
// digits.
KaitaiStream.bytesToStr = (bytes, encoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return '\0hex:' + Buffer.from(bytes).toString('hex');
  }
};

// Replaces the runtime's function, which is off by 2^32 if the lower half of a negative number
// begins with a zero bit.
KaitaiStream.prototype.readS8le = function () {
  const low = this.readU4le();
  return this.readS4le() * 0x100000000 + low;
};

const camel = (id) => id.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase());
const pascal = (id) => camel('_' + id);

/** Returns the description of `type` at `revision`, and the class that the compiled description defines. */
async function describe(revision) {
  const text = execFileSync(harness, ['schema', '--format', 'ksy', '--type', type, '--at', revision, '--golden', folder]).toString();
  const ksy = yaml.load(text);
  const files = await compiler.compile('javascript', ksy, null, false);
  const made = {};
  for (const source of Object.values(files)) {
    const module = { exports: {} };
    new Function('require', 'module', 'exports', source)(need, module, module.exports);
    Object.assign(made, module.exports);
  }
  return { ksy, Root: made[pascal(ksy.meta.id)] };
}

/** Appends every value below `object` as [path, text or number], with the paths that the store uses. */
function leaves(ksy, object, wire, at, out) {
  const types = ksy.types;
  const add = (suffix, value) => out.push([at + suffix, value]);
  const below = (attribute, value, where) => {
    const kind = typeof attribute.type === 'object' ? value.constructor && value.constructor.name : attribute.type;
    if (attribute.enum) out.push([where, enumerator(ksy, attribute.enum, value)]);
    else if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array)) {
      const id = Object.keys(types).find((t) => pascal(t) === value.constructor.name) || kind;
      leaves(ksy, value, types[id], where, out);
    } else out.push([where, value, attribute]);
  };
  const container = wire['-wire'].split('<')[0];
  const [first, second] = wire.seq.map((a) => object[camel(a.id)]);
  const attributes = wire.seq;
  switch (/[<]/.test(wire['-wire']) || wire['-wire'] === 'string' ? container : 'record') {
    case 'string': return add('', second);
    case 'array': return first.forEach((v, i) => below({ ...attributes[0] }, v, `${at}[${i}]`));
    case 'vector': case 'set': add('#count', first); return second.forEach((v, i) => below(attributes[1], v, `${at}[${i}]`));
        case 'map': {
      add('#count', first);
      const pair = types[attributes[1].type].seq;
      return second.forEach((v, i) => { below(pair[0], v.item0, `${at}#key[${i}]`); below(pair[1], v.item1, `${at}[${i}]`); });
    }
    case 'optional': case 'unique_ptr':
      add('#present', first);
      if (first) below(attributes[1], second, at);
      return;
    case 'pair': case 'tuple': return attributes.forEach((a, i) => below(a, object[camel(a.id)], `${at}[${i}]`));
    case 'variant': {
      add('#index', first);
      const alternative = attributes[1].type.cases[first];
      return below({ type: alternative }, second, at);
    }
    case 'bitset': return add('', first);
    default:
  }
  if (!wire['-record'] && wire.seq.length === 1 && wire.seq[0].id === 'value' && !wire.seq[0]['-orig-id']) return below(wire.seq[0], first, at);
  for (const a of wire.seq) {
    const value = object[camel(a.id)];
    if (a.if && value === undefined) continue;
    const name = a['-integrity'] ? '#integrity' : a['-orig-id'];
    below(a, value, name.startsWith('#') ? at + name : name === '' ? at : at === '' ? name : `${at}.${name}`);
  }
}

function enumerator(ksy, name, value) {
  const found = ksy.enums[name][value];
  return found && found['-orig-id'] ? found['-orig-id'] : String(value);
}

/** True if a value read in JavaScript equals the store's text. 64-bit integers are compared with JavaScript's precision. */
function agrees(value, text, attribute) {
  if (value instanceof Uint8Array) {
    const bits = Array.from(value, (b) => b.toString(2).padStart(8, '0').split('').reverse().join('')).join('');
    return bits.startsWith(text) || bits.slice(0, text.length).split('').reverse().join('') === text;
  }
  if (typeof value === 'string') return value === text;
  if (text === 'true' || text === 'false') return value === (text === 'true' ? 1 : 0);
  if (text.startsWith('NaN')) return Number.isNaN(value);
  const number = Number(text);
  return Object.is(value, number) || value === number || Math.fround(number) === value;
}

let failed = 0, values = 0, cases = 0;
function wrong(message) {
  failed++;
  console.log(message);
}

function compare(where, recorded, read) {
  const seen = {};
  const got = read.map(([p, v, a]) => {
    const whole = p === '' ? 'value' : p;
    seen[whole] = (seen[whole] || 0) + 1;
    return [seen[whole] > 1 ? `${whole}~${seen[whole]}` : whole, v, a];
  });
  const expected = Object.entries(recorded || {});
  for (let i = 0; i < Math.max(got.length, expected.length); i++) {
    const [p, v, a] = got[i] || ['(nothing)'];
    const [q, text] = expected[i] || ['(nothing)', ''];
    if (p !== q) return wrong(`${where}: value ${i}: recorded ${q}, read ${p}`);
    if (!agrees(v, text, a)) return wrong(`${where}: ${p}: recorded ${text}, read ${v}`);
    values++;
  }
}

/** Returns the payloads of a pack by their hash. */
function payloads(file) {
  const bytes = fs.readFileSync(file);
  const found = {};
  const count = bytes.readUInt32LE(8);
  let at = 12 + 12 * count;
  for (let i = 0; i < count; i++) {
    const size = bytes.readUInt32LE(12 + 12 * i + 8);
    found[bytes.readBigUInt64LE(12 + 12 * i).toString(16).padStart(16, '0')] = bytes.subarray(at, at + size);
    at += size;
  }
  return found;
}

(async () => {
  const made = {};
  const at = async (revision) => (made[revision] = made[revision] || (await describe(revision)));
  for (const file of fs.readdirSync(folder).filter((f) => f.endsWith('.yaml'))) {
    const record = yaml.load(fs.readFileSync(path.join(folder, file)).toString(), { schema: yaml.FAILSAFE_SCHEMA });
    for (const item of record.cases || []) {
      if (item.type !== type) continue;
      const { ksy, Root } = await at(record.revision);
      const payload = payloads(path.join(folder, file.replace(/yaml$/, 'golden')))[item.hash];
      const id = ksy.seq.find((a) => a.id === 'payload').type;
      const where = `${record.revision}/${item.name}`;
      const stream = new KaitaiStream(payload.buffer.slice(payload.byteOffset, payload.byteOffset + payload.length), 0);
      cases++;
      const read = [];
      try {
        leaves(ksy, new Root[pascal(id)](stream), ksy.types[id], '', read);
      } catch (error) {
        wrong(`${where}: ${error.message}`);
        continue;
      }
      compare(where, item.values, read);
      if (!stream.isEof()) wrong(`${where}: bytes are left over`);
    }
  }
  for (const save of saves) {
    const bytes = fs.readFileSync(save);
    const { ksy, Root } = await at(String(bytes.readUInt32LE(4)));
    const stream = new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 0);
    const object = new Root(stream);
    const read = [];
    leaves(ksy, object.payload, ksy.types[ksy.seq.find((a) => a.id === 'payload').type], '', read);
    // Compare with our program's `dump --tree`, whose lines have the form: offset, size, bytes,
    // path: text.
    const tree = execFileSync(harness, ['dump', save, '--tree', '--type', type, '--golden', folder]).toString();
    const recorded = {};
    for (const line of tree.split('\n').filter(Boolean)) {
      const [, p, text] = /^\s*\d+\s+\d+\s+(?:[0-9a-f.]+\s+)?(\S+): (.*)$/.exec(line);
      recorded[p] = text.startsWith('"') ? JSON.parse(text) : text;
    }
    compare(save, recorded, read);
    if (!stream.isEof()) wrong(`${save}: bytes are left over`);
    cases++;
  }
  console.log(`${type}: ${cases} goldens and files, ${values} values, ${failed} wrong`);
  process.exit(failed || cases === 0 || values === 0 ? 1 : 0);
})().catch((error) => {
  console.log(error && error.stack ? error.stack : String(error));
  process.exit(1);
});
