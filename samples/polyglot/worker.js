#!/usr/bin/env node
// A Transport worker in JavaScript: Node.js and @msgpack/msgpack (npm install @msgpack/msgpack), written from PROTOCOL.md alone.
// usage: worker.js [events=10000] [big_mb=5] [serve]     started by a main node, for example: buildharness run -- node worker.js 100
// Sends that many log events, the middle one of big_mb megabytes with urgent packets between its chunks, some output and progress; with
// "serve" it answers requests of type 1040, [n], by a stream of [0] to [n-1], until the main node asks it to stop. Ends the link as the
// protocol asks, and prints its ledger to stderr. Exit code 0: everything was acknowledged.
"use strict";
const fs = require("node:fs"), net = require("node:net"), os = require("node:os"), path = require("node:path");
const { Duplex } = require("node:stream");
const { encode, decode } = require("@msgpack/msgpack");

const HELLO = 1, WELCOME = 2, GOODBYE = 4, ACK = 5, PING = 6, PONG = 7, SET_LEVEL = 8, STOP = 11;       // control packets: lane 0, a map
const LOG_EVENT = 256, OUTPUT = 257, PROGRESS = 258;                                                   // log packets: an array
const REQUEST = 272, ANSWER = 273, CANCEL = 274, ITEM = 275, CREDIT = 276, COUNT = 1040, OVERHEAD = 32; // requests
const CONTROL = 0, URGENT = 1, NORMAL = 2;                                                             // lanes
const MORE = 0x40, MAX_CHUNK = 65536, MAX_PACKET = 16 << 20, HEADER = 10, INFORMATION = 2, ERROR = 4;

/** Where the main node listens: .NET's named pipes are sockets on Unix. */
function addressOf(endpoint) {
    const at = endpoint.indexOf(":"), address = endpoint.slice(at + 1);
    return endpoint.slice(0, at) === "unix" || address.startsWith("/") ? address : path.join(os.tmpdir(), "CoreFxPipe_" + address);
}

/** Two inherited pipes are one stream each: fd:READ,WRITE,INODE,INODE. */
function connect(endpoint) {
    const [, read, write, ...inodes] = /^fd:(\d+),(\d+),(\d+),(\d+)$/.exec(endpoint) ?? [];
    if (read && [read, write].some((fd, i) => fs.fstatSync(+fd).ino !== +inodes[i])) throw new Error("these are not the main node's pipes");
    return !read ? net.connect({ path: addressOf(endpoint), allowHalfOpen: true }) : Duplex.from({
        readable: new net.Socket({ fd: +read, writable: false }), writable: new net.Socket({ fd: +write, readable: false }),
    });
}

class Link {
    constructor(socket) {
        this.socket = socket;
        this.input = Buffer.alloc(0);
        this.parts = new Map();            // lane -> { type, bodies so far }
        this.work = new Map();             // requests being answered: id -> { credit, cancelled, wake }
        this.sent = this.acked = this.received = this.reported = this.level = 0;
        this.goodbye = this.fault = null;  // the peer's Goodbye; what went wrong
        this.stopped = new Promise(stop => (this.stop = stop));
        this.changed = () => {};           // called after each piece of input
        this.blocked = [];                 // what waits until the socket takes more
        socket.on("drain", () => this.resume());
        socket.on("data", piece => this.take(piece));
        socket.on("error", e => this.end(e.message));
        socket.on("end", () => this.end("PeerGone"));
    }

    resume() {
        this.blocked.splice(0).forEach(go => go());
    }

    end(why) {
        this.fault ??= why;
        this.resume();
        this.stop();
        this.work.forEach(one => { one.cancelled = true; one.wake(); });
        this.changed();
    }

    /** Waits until a condition holds, looked at after each piece of input. */
    async until(condition) {
        while (!condition() && !this.fault) await new Promise(next => (this.changed = next));
        if (!condition()) throw new Error(this.fault);
    }

    /** 93 | lane byte | cd, type | c6, length | body. Packets count when their last frame is written. */
    frame(lane, type, body, more = false) {
        const header = Buffer.alloc(HEADER);
        header.set([0x93, lane | (more ? MORE : 0), 0xcd]);
        header.writeUInt16BE(type, 3);
        header[5] = 0xc6;
        header.writeUInt32BE(body.length, 6);
        this.socket.write(header);
        this.socket.write(body);
        if (lane !== CONTROL && !more) this.sent++;
    }

    control(type, keys) {
        this.frame(CONTROL, type, encode(keys));
    }

    /** A packet in as many frames as it needs; `between` may send packets of other lanes after each frame but the last. */
    async send(lane, type, fields, between) {
        const body = encode(fields);
        for (let at = 0; at < body.length; at += MAX_CHUNK) {
            const more = at + MAX_CHUNK < body.length;
            this.frame(lane, type, body.subarray(at, at + MAX_CHUNK), more);
            if (more && between) await between(at / MAX_CHUNK);
        }
        if (this.socket.writableNeedDrain && !this.fault) await new Promise(go => this.blocked.push(go));
        else if (this.sent % 64 === 0) await new Promise(setImmediate);   // input is looked at meanwhile
    }

    /** Cuts the frames out of what has come, and handles each whole packet. */
    take(piece) {
        this.input = Buffer.concat([this.input, piece]);
        try {
            while (this.input.length >= HEADER) {
                const bits = this.input[1], type = this.input.readUInt16BE(3), length = this.input.readUInt32BE(6);
                const lane = bits & 3, more = (bits & MORE) !== 0, part = this.parts.get(lane) ?? { type, bodies: [] };
                if (this.input[0] !== 0x93 || this.input[2] !== 0xcd || this.input[5] !== 0xc6 || bits & ~(3 | MORE) || length < 1
                    || length > MAX_CHUNK || (lane === CONTROL) !== type < 256 || (more && lane === CONTROL) || part.type !== type) {
                    throw new Error("FrameCorrupt");
                }
                if (this.input.length < HEADER + length) break;
                part.bodies.push(this.input.subarray(HEADER, HEADER + length));
                this.input = this.input.subarray(HEADER + length);
                if (more) this.parts.set(lane, part);
                else {
                    this.parts.delete(lane);
                    this.handle(lane, type, decode(Buffer.concat(part.bodies)));
                }
            }
            if (this.received > this.reported) this.acknowledge();
        } catch (e) {
            this.end(e.message);
            this.socket.destroy();
        }
        this.changed();
    }

    acknowledge() {
        this.control(ACK, { packets: (this.reported = this.received) });
    }

    /** Answers control packets, counts the others; unknown control packets are skipped. */
    handle(lane, type, value) {
        if (lane !== CONTROL) {
            this.received++;
            if (this.received - this.reported >= 1024) this.acknowledge();
            if (type === REQUEST) this.answer(lane, value).catch(e => this.end(e.message));
            const work = type === CREDIT || type === CANCEL ? this.work.get(value[0]) : undefined;
            if (work) {
                type === CREDIT ? (work.credit += value[1]) : (work.cancelled = true);
                work.wake();
            }
        } else if (type === WELCOME || type === 3) this.welcome = { type, ...value };
        else if (type === PING) this.control(PONG, { id: value.id });
        else if (type === ACK) this.acked = value.packets;
        else if (type === SET_LEVEL) this.level = value.level;
        else if (type === STOP) this.stop();
        else if (type === GOODBYE) {
            this.goodbye = value;
            this.acknowledge();
            if (value.detail) throw new Error(`${value.reason}: ${value.detail}`);   // what this worker did wrong
            this.stop();
        }
    }

    /** A stream of numbers, each sent while there is credit left. */
    async answer(lane, [id, type, question, , , credit]) {
        if (type !== COUNT || credit == null) {
            await this.send(lane, ANSWER, [id, 3, null, "this worker answers type 1040, with credit"]);
            return;
        }
        const work = { credit, cancelled: false, wake: () => {} };
        this.work.set(id, work);
        for (let i = 0; i < decode(question)[0] && !work.cancelled; i++) {
            while (work.credit <= 0 && !work.cancelled) await new Promise(wake => (work.wake = wake));
            const item = encode([i]);
            work.credit -= item.length + OVERHEAD;
            if (!work.cancelled) await this.send(lane, ITEM, [id, item]);
        }
        this.work.delete(id);
        await this.send(lane, ANSWER, [id, work.cancelled ? 2 : 0, null, null]);
    }
}

async function main(events = 10000, bigMb = 5, serves = false) {
    const link = new Link(connect(process.env.TRANSPORT_ENDPOINT));
    link.control(HELLO, {
        protocol: "transport", min: 1, max: 1, secret: Buffer.from(process.env.TRANSPORT_SECRET, "hex"), node: "node", pid: process.pid,
        app: "worker.js/1.0", caps: serves ? ["streams", "stop"] : [], maxPacket: MAX_PACKET,
    });
    delete process.env.TRANSPORT_ENDPOINT;   // our children must not inherit them
    delete process.env.TRANSPORT_SECRET;
    await link.until(() => link.welcome);
    if (link.welcome.type !== WELCOME) throw new Error(`rejected ${link.welcome.code}: ${link.welcome.message}`);
    link.level = link.welcome.level;
    const event = (level, text, properties = null) => [new Date(), level, "polyglot", 0, text, null, properties, null];
    const urgent = async i => i % 10 === 0 && link.level <= ERROR && link.send(URGENT, LOG_EVENT, event(ERROR, `urgent ${i}`));
    const big = Math.min(bigMb * 1_000_000, link.welcome.maxPacket - 1000);
    await link.send(NORMAL, OUTPUT, [new Date(), 1, "hello from Node.js: \u00fc \u{1F422}", false, null]);
    for (let i = 0; i < events; i++) {
        if (link.level <= INFORMATION && !link.goodbye) {   // after the peer's Goodbye only what had begun is sent
            const text = `event ${i} ` + (i === Math.floor(events / 2) ? "x".repeat(big) : "");
            await link.send(NORMAL, LOG_EVENT, event(INFORMATION, text, { i }), urgent);
        }
        if (i % 1000 === 999) await link.send(NORMAL, PROGRESS, [new Date(), 1, i + 1, events, "events"]);
    }
    if (serves) await link.stopped;
    await link.send(NORMAL, OUTPUT, [new Date(), 2, "done", false, null]);
    await link.until(() => link.work.size === 0);
    link.control(GOODBYE, { packets: link.sent, reason: "" });          // after it only Ack and Pong may be sent
    await link.until(() => link.goodbye && link.acked >= link.sent);   // the peer's Ack, then its Goodbye
    link.socket.end();                                                 // both have said Goodbye: the streams end
    setTimeout(() => link.socket.destroy(), 5000).unref();
    return link;
}

const [events, bigMb] = process.argv.slice(2, 4).map(Number);
main(events, bigMb, process.argv[4] === "serve").then(
    link => console.error(`ledger: sent=${link.sent} acknowledged=${link.acked} received=${link.received} end=clean`),
    e => {
        console.error(e.message);
        process.exitCode = 1;
    });
