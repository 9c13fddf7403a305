#!/usr/bin/env python3
"""A Transport worker in Python 3.8 or later: the standard library alone, written from PROTOCOL.md alone.
usage: worker.py [events=10000] [big_mb=5]     started by a main node, for example: buildharness run -- python3 worker.py 100
Sends that many log events, the middle one of big_mb megabytes with urgent packets between its chunks, some output and progress,
ends the link as the protocol asks, and prints its ledger to stderr. Exit code 0: everything was acknowledged."""
import os, select, socket, struct, sys, tempfile, time

HELLO, WELCOME, REJECT, GOODBYE, ACK, PING, PONG, SET_LEVEL = range(1, 9)  # control packets: lane 0, a map
LOG_EVENT, OUTPUT, PROGRESS = 256, 257, 258                                # log packets: an array
CONTROL, URGENT, NORMAL, BULK = range(4)                                   # lanes
MORE, MAX_CHUNK, MAX_PACKET, INFORMATION, ERROR = 0x40, 65536, 16 << 20, 2, 4


class Timestamp(int):
    """Nanoseconds since 1970, as MessagePack's extension -1."""


def pack(value):
    """A value as MessagePack: what this worker sends."""
    if value is None or isinstance(value, bool):
        return b"\xc0" if value is None else b"\xc3" if value else b"\xc2"
    if isinstance(value, Timestamp):
        return struct.pack(">BBbIq", 0xC7, 12, -1, value % 10**9, value // 10**9)
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value) if value < 0 else struct.pack("B", value) if value < 128 else struct.pack(">BQ", 0xCF, value)
    if isinstance(value, bytes):
        return struct.pack(">BI", 0xC6, len(value)) + value
    if isinstance(value, str):
        text = value.encode()
        return (struct.pack("B", 0xA0 | len(text)) if len(text) < 32 else struct.pack(">BI", 0xDB, len(text))) + text
    if isinstance(value, dict):
        return struct.pack(">BH", 0xDE, len(value)) + b"".join(pack(key) + pack(one) for key, one in value.items())
    return struct.pack(">BH", 0xDC, len(value)) + b"".join(map(pack, value))


def unpack(data, at=0):
    """The value at a place in MessagePack, and where the next begins. Floats and extensions come as their bytes."""
    code, at = data[at], at + 1
    if code < 0x80 or code >= 0xE0:
        return (code if code < 0x80 else code - 256), at
    if code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], at
    if 0xCC <= code <= 0xD3:
        size = 1 << (code & 3)
        return int.from_bytes(data[at:at + size], "big", signed=code >= 0xD0), at + size
    if code in (0xCA, 0xCB):
        return data[at:at + (4 if code == 0xCA else 8)], at + (4 if code == 0xCA else 8)
    if 0xD4 <= code <= 0xD8:                                               # an extension of 1 to 16 bytes, behind its type
        return data[at:at + 1 + (1 << code - 0xD4)], at + 1 + (1 << code - 0xD4)
    if code < 0xC0:
        kind, count = ("map", code & 15) if code < 0x90 else ("array", code & 15) if code < 0xA0 else ("str", code & 31)
    else:
        kind, width = {0xC4: ("bin", 1), 0xC5: ("bin", 2), 0xC6: ("bin", 4), 0xC7: ("ext", 1), 0xC8: ("ext", 2), 0xC9: ("ext", 4),
                       0xD9: ("str", 1), 0xDA: ("str", 2), 0xDB: ("str", 4), 0xDC: ("array", 2), 0xDD: ("array", 4),
                       0xDE: ("map", 2), 0xDF: ("map", 4)}[code]
        count, at = int.from_bytes(data[at:at + width], "big"), at + width
    if kind in ("str", "bin", "ext"):
        end = at + count + (kind == "ext")
        return data[at:end].decode() if kind == "str" else data[at:end], end
    items = []
    for _ in range(count * (2 if kind == "map" else 1)):
        item, at = unpack(data, at)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if kind == "map" else items), at


class Pipes:
    """Two inherited pipes, used as a socket: fd:READ,WRITE,INODE,INODE."""
    def __init__(self, address):
        numbers = [int(number) for number in address.split(",")]
        if [os.fstat(fd).st_ino for fd in numbers[:2]] != numbers[2:]:     # a wrapper may have closed them, and they be other files now
            sys.exit("the descriptors are not the main node's pipes")
        self.read, self.write = (os.fdopen(fd, mode, 0) for fd, mode in zip(numbers, ("rb", "wb")))
        [os.set_inheritable(end.fileno(), False) for end in (self.read, self.write)]
        self.fileno = self.read.fileno

    def sendall(self, data):
        while data:
            data = data[self.write.write(data):]

    def recv(self, count, flags):
        data = b""
        while len(data) < count and select.select([self.read], [], [], 30)[0] and (got := self.read.read(count - len(data))):
            data += got
        return data

    def shutdown(self, how):
        self.write.close()


def connect(endpoint):
    kind, _, address = endpoint.partition(":")
    if kind == "fd":
        return Pipes(address)
    if kind == "pipe":                                                     # .NET's named pipes are sockets on Unix
        address = os.path.join(tempfile.gettempdir(), address if address[0] == "/" else "CoreFxPipe_" + address)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 30, 0))  # a living peer sends a Ping after 5 s
    sock.connect(address)
    return sock


class Link:
    def __init__(self, sock):
        self.sock, self.parts, self.goodbye = sock, {}, None  # parts: lane -> [type, body so far]; goodbye: the peer's
        self.sent = self.acked = self.received = self.reported = self.level = 0

    def frame(self, lane, type, body, more=False):
        """93 | lane byte | cd, type | c6, length | body. Packets count when their last frame is written."""
        self.sock.sendall(struct.pack(">BBBHBI", 0x93, lane | (MORE if more else 0), 0xCD, type, 0xC6, len(body)) + body)
        self.sent += lane != CONTROL and not more

    def control(self, type, **keys):
        self.frame(CONTROL, type, pack(keys))

    def send(self, lane, type, fields, between=None):
        """A packet in as many frames as it needs; `between` may send packets of other lanes after each frame but the last."""
        body = pack(fields)
        for at in range(0, len(body), MAX_CHUNK):
            more = at + MAX_CHUNK < len(body)
            self.frame(lane, type, body[at:at + MAX_CHUNK], more)
            if more and between:
                between(at // MAX_CHUNK)
        while self.readable():
            self.handle()

    def readable(self):
        return bool(select.select([self.sock], [], [], 0)[0])

    def exactly(self, count):
        data = self.sock.recv(count, socket.MSG_WAITALL)
        if len(data) < count:
            raise ConnectionError("PeerGone")
        return data

    def read(self):
        """One whole packet as (lane, type, value)."""
        while True:
            array, bits, u16, type, bin32, length = struct.unpack(">BBBHBI", self.exactly(10))
            lane, more = bits & 3, bits & MORE
            part = self.parts.setdefault(lane, [type, b""])
            if (array, u16, bin32) != (0x93, 0xCD, 0xC6) or bits & ~(3 | MORE) or not 1 <= length <= MAX_CHUNK \
                    or (lane == CONTROL) != (type < 256) or (more and lane == CONTROL) or part[0] != type:
                raise ConnectionError("FrameCorrupt")
            part[1] += self.exactly(length)   # a reader that trusts nobody also ends a packet of more than MAX_PACKET
            if not more:
                return lane, type, unpack(self.parts.pop(lane)[1])[0]

    def handle(self):
        """Handles one packet: answers control packets, counts and acknowledges the others; unknown control packets are skipped."""
        lane, type, value = self.read()
        self.received += lane != CONTROL      # a real worker would handle the packet here
        if type == PING:
            self.control(PONG, id=value["id"])
        elif type == ACK:
            self.acked = value["packets"]
        elif type == SET_LEVEL:
            self.level = value["level"]
        elif type == GOODBYE:
            self.goodbye = value
            if value.get("detail"):           # what this worker did wrong: byte, expected, actual
                raise ConnectionError(f"{value['reason']}: {value['detail']}")
        if type == GOODBYE or self.received - self.reported >= (1024 if self.readable() else 1):
            self.reported = self.received
            self.control(ACK, packets=self.reported)


def main(events=10000, big_mb=5):
    link, end = Link(connect(os.environ.pop("TRANSPORT_ENDPOINT"))), "clean"       # pop: our children must not inherit them
    link.control(HELLO, protocol="transport", min=1, max=1, secret=bytes.fromhex(os.environ.pop("TRANSPORT_SECRET")),
                 node="python", pid=os.getpid(), app="worker.py/1.0", caps=[], maxPacket=MAX_PACKET)
    _, type, answer = link.read()
    if type != WELCOME:
        sys.exit(f"rejected {answer['code']}: {answer['message']}")
    link.level = answer["level"]
    now = lambda: Timestamp(time.time_ns())
    event = lambda level, text, **props: [now(), level, "polyglot", 0, text, None, props or None, None]
    urgent = lambda i: link.send(URGENT, LOG_EVENT, event(ERROR, f"urgent {i}")) if i % 10 == 0 and link.level <= ERROR else None
    big = min(big_mb * 1_000_000, answer["maxPacket"] - 1000)
    try:
        link.send(NORMAL, OUTPUT, [now(), 1, "hello from Python: \u00fc \U0001f40d", False, None])
        for i in range(events):
            if link.level <= INFORMATION and not link.goodbye:             # after the peer's Goodbye only what had begun is sent
                link.send(NORMAL, LOG_EVENT, event(INFORMATION, f"event {i} " + "x" * (i == events // 2) * big, i=i), urgent)
            if i % 1000 == 999:
                link.send(NORMAL, PROGRESS, [now(), 1, i + 1, events, "events"])
        link.send(NORMAL, OUTPUT, [now(), 2, "done", False, None])
        link.control(GOODBYE, packets=link.sent, reason="")                # after it only Ack and Pong may be sent
        while not link.goodbye or link.acked < link.sent:
            link.handle()                                                  # the peer's Ack, then its Goodbye
        link.sock.shutdown(socket.SHUT_WR)                                 # both have said Goodbye: the streams end
        select.select([link.sock], [], [], 5)
    except OSError as e:                                                   # ConnectionError is one
        end = str(e)
    print(f"ledger: sent={link.sent} acknowledged={link.acked} received={link.received} end={end}", file=sys.stderr)
    return 0 if end == "clean" else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
