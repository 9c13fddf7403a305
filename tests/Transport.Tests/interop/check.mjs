// Decodes the MessagePack values of one file, prints each in one line, and encodes them again into another.
//
//     node check.mjs MODULES IN OUT      MODULES: a node_modules folder; exit 3: @msgpack/msgpack is missing there
//
// The lines are those of Tree.Describe in the tests, which compares them and the bytes. JavaScript has one kind of number:
// whole floats and maps with keys that are no strings are left to check.py.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, input, output] = process.argv.slice(2);
let msgpack;
try {
  msgpack = createRequire(resolve(modules, "_"))(resolve(modules, "@msgpack/msgpack"));
} catch (missing) {
  console.error(missing.message);
  process.exit(3);
}

class Time {
  constructor({ sec, nsec }) {
    this.sec = sec;
    this.nsec = nsec;
  }
}

const extensionCodec = new msgpack.ExtensionCodec();
extensionCodec.register({
  type: msgpack.EXT_TIMESTAMP,
  encode: (value) => (value instanceof Time ? msgpack.encodeTimeSpecToTimestamp(value) : null),
  decode: (data) => new Time(msgpack.decodeTimestampToTimeSpec(data)),
});
const options = { extensionCodec, useBigInt64: true };
const hex = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

function describe(value) {
  if (value === null) return "nil";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return `int ${value}`;
  if (typeof value === "number") {
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(value);
    return `float ${bits.toString("hex")}`;
  }
  if (typeof value === "string") return `str ${Buffer.from(value, "utf8").toString("hex")}`;
  if (value instanceof Uint8Array) return `bin ${hex(value)}`;
  if (value instanceof Time) return `time ${value.sec} ${value.nsec}`;
  if (value instanceof msgpack.ExtData) return `ext ${value.type} ${hex(value.data)}`;
  if (Array.isArray(value)) return `[${value.map(describe).join(", ")}]`;
  return `{${Object.entries(value).map(([k, v]) => `${describe(k)}: ${describe(v)}`).join(", ")}}`;
}

const encoded = [];
const lines = [];
for (const value of msgpack.decodeMulti(readFileSync(input), options)) {
  lines.push(describe(value));
  encoded.push(msgpack.encode(value, options).slice());
}
writeFileSync(output, Buffer.concat(encoded));
process.stdout.write(lines.join("\n") + "\n");
