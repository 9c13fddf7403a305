#!/usr/bin/env python3
"""A worker that sends numbered log events as fast as they are taken, and writes down what was acknowledged. The standard library alone.
usage: numbered.py ACKS [events=0] [first=0]     started by a main node: buildharness run -- python3 numbered.py acks.txt
ACKS gets a line for each Ack, its number, and at the end `sent N` and `end WHY`. 0 events: forever, until the link ends.
Event i has the message `event NUMBER`, NUMBER = first + i in 12 digits; it is packet i + 1 of the link. Exit code 0: Goodbye both ways."""
import os, select, socket, struct, sys

GOODBYE, ACK, PING, PONG, WELCOME, LOG_EVENT, NORMAL = 4, 5, 6, 7, 2, 256, 2


def text(s):
    return bytes([0xd9, len(s)]) + s.encode()


def frame(lane, type, body):
    return struct.pack(">BBBHBI", 0x93, lane, 0xCD, type, 0xC6, len(body)) + body


def number(body, key):
    """The value of a key of a control packet: an unsigned integer in whatever form, found without a MessagePack library."""
    at = body.find(key)
    if at < 0:
        return 0
    at += len(key)
    code = body[at]
    size = {0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8}.get(code, 0)
    return code if size == 0 else int.from_bytes(body[at + 1:at + 1 + size], "big")


class Numbered:
    def __init__(self, acks, events, first):
        self.acks, self.events, self.first = os.open(acks, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), events, first
        self.sent = self.acked = 0
        self.said = self.heard = False
        self.read = b""
        self.out = b""
        # [time, level, category, eventId, message, context, properties, exception]; the padding stands in the exception
        self.head = b"\x98\xd6\xff\x65\x00\x00\x00\x02" + text("numbered") + b"\x00" + bytes([0xd9, 18])
        self.tail = b"\xc0\xc0" + text("x" * 180)

    def note(self, line):
        os.write(self.acks, (line + "\n").encode())

    def fill(self):
        """Frames of the next events, 64 at a time; then Goodbye."""
        count = 64 if self.events == 0 else min(64, self.events - self.sent)
        size = len(self.head) + 18 + len(self.tail)
        header = struct.pack(">BBBHBI", 0x93, NORMAL, 0xCD, LOG_EVENT, 0xC6, size)
        self.out += b"".join(
            header + self.head + b"event %012d" % (self.first + i) + self.tail for i in range(self.sent, self.sent + count))
        self.sent += count
        if self.sent == self.events:
            self.out += frame(0, GOODBYE, b"\x82" + text("packets") + b"\xce" + self.sent.to_bytes(4, "big") + text("reason") + text(""))
            self.said = True

    def take(self):
        while len(self.read) >= 10:
            length = int.from_bytes(self.read[6:10], "big")
            if len(self.read) < 10 + length:
                return
            type, body, self.read = int.from_bytes(self.read[3:5], "big"), self.read[10:10 + length], self.read[10 + length:]
            if type == ACK:
                self.acked = number(body, b"packets")
                self.note(str(self.acked))
            elif type == PING:
                self.out += frame(0, PONG, b"\x81" + text("id") + b"\xce" + number(body, b"id").to_bytes(4, "big"))
            elif type == GOODBYE:
                self.heard = True

    def run(self, sock):
        sock.setblocking(False)
        writing = True
        while True:
            if writing and not self.out and not self.said:
                self.fill()
            if writing and self.said and self.heard and not self.out:
                sock.shutdown(socket.SHUT_WR)
                return "clean"
            ready, capacity, _ = select.select([sock], [sock] if writing and self.out else [], [], 60)
            if capacity:
                try:
                    self.out = self.out[sock.send(self.out):]
                except BlockingIOError:
                    pass
                except OSError:
                    writing = False          # what has come is read to its end first
            if ready:
                data = sock.recv(1 << 16)
                if not data:
                    return "end of stream"
                self.read += data
                self.take()


def main(acks, events=0, first=0):
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(os.environ.pop("TRANSPORT_ENDPOINT").partition(":")[2])
    hello = (b"\x88" + text("protocol") + text("transport") + text("min") + b"\x01" + text("max") + b"\x01" + text("secret") + b"\xc4\x20"
             + bytes.fromhex(os.environ.pop("TRANSPORT_SECRET"))
             + text("node") + text("numbered") + text("pid") + b"\xce" + os.getpid().to_bytes(4, "big")
             + text("caps") + b"\x90" + text("maxPacket") + b"\xce" + (1 << 24).to_bytes(4, "big"))
    sock.sendall(frame(0, 1, hello))
    header = sock.recv(10, socket.MSG_WAITALL)
    sock.recv(int.from_bytes(header[6:10], "big"), socket.MSG_WAITALL)
    if int.from_bytes(header[3:5], "big") != WELCOME:
        sys.exit("no Welcome")
    worker = Numbered(acks, events, first)
    try:
        end = worker.run(sock)
    except OSError as e:
        end = str(e)
    worker.note(f"sent {worker.sent}")
    worker.note(f"end {end}")
    return 0 if end == "clean" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
