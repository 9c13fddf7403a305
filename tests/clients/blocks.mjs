// Reads the blocks of one journal from a stream of NATS JetStream, as docs/reference/block-format.md has them, and writes its packets as
// lines of JSON. Knows nothing else of this library. Usage: node blocks.mjs URL STREAM SUBJECT LAST
import { createRequire } from "node:module";
import { brotliDecompressSync } from "node:zlib";

// Modules are found by NODE_PATH, which only require looks at.
const { connect, consumerOpts } = createRequire(import.meta.url)("nats");
const [url, stream, subject, lastWanted] = process.argv.slice(2);

const table = Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0x82f63b78 : byte >>> 1;
    return byte >>> 0;
});

function crc32c(...parts) {
    let sum = 0xffffffff;
    for (const part of parts) for (const byte of part) sum = table[(sum ^ byte) & 0xff] ^ (sum >>> 8);
    return (sum ^ 0xffffffff) >>> 0;
}

function header(block) {
    if (block.length < 64 || block.toString("latin1", 0, 4) !== "TBLK") throw new Error("no block");
    if (block.readUInt16LE(4) !== 1) throw new Error(`format ${block.readUInt16LE(4)}`);
    if (crc32c(block.subarray(0, 60), block.subarray(64)) !== block.readUInt32LE(60)) throw new Error("damaged");
    return {
        codec: block[6], journal: block.toString("hex", 8, 24), previous: block.readBigInt64LE(24), first: block.readBigInt64LE(32),
        last: block.readBigInt64LE(40), count: block.readInt32LE(48), bytes: block.readInt32LE(52), part: block.readUInt16LE(56),
        parts: block.readUInt16LE(58),
    };
}

let last = 0n; // the position up to which all has come
let parts = [];

function take(block) {
    const head = header(block);
    if (head.part === 0) parts = [];
    parts.push(block.subarray(64));
    if (head.part < head.parts - 1 || head.last <= last) return;
    if (head.previous > last) throw new Error(`behind ${last} comes a block behind ${head.previous}`);
    let content = Buffer.concat(parts);
    if (head.codec === 1) content = brotliDecompressSync(content);
    if (content.length !== head.bytes) throw new Error(`${content.length} bytes, expected ${head.bytes}`);
    for (let at = 0; at < content.length;) {
        const node = content[at + 18], body = content.readInt32LE(at + 20), name = at + 24;
        const position = content.readBigInt64LE(at);
        if (position > last) {
            console.log(JSON.stringify({
                position: Number(position), time: String(content.readBigInt64LE(at + 8)),
                node: content.toString("latin1", name, name + node),
                type: content.readUInt16LE(at + 16), body: content.toString("hex", name + node, name + node + body),
            }));
        }
        at = name + node + body;
    }
    last = head.last;
}

const connection = await connect({ servers: url });
const options = consumerOpts();
options.orderedConsumer();
options.bindStream(stream);
const messages = await connection.jetstream().subscribe(subject, options);
for await (const message of messages) {
    take(Buffer.from(message.data));
    if (last >= BigInt(lastWanted)) break;
}
await connection.close();
