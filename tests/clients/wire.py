"""What the test clients share: frames by PROTOCOL.md, without any of the checks that a valid worker makes."""
import os, select, socket, struct, tempfile, time, msgpack

HELLO, WELCOME, REJECT, GOODBYE, ACK, PING, PONG, SET_LEVEL, DROPPED = range(1, 10)
LOG_EVENT, OUTPUT, PROGRESS = 256, 257, 258
MORE, MAX_CHUNK = 0x40, 65536
SECRET = bytes.fromhex(os.environ.get("TRANSPORT_SECRET", "00" * 32))


class Pipes:
    """Two inherited pipes, used as the clients use a socket."""
    def __init__(self, address):
        self.ends = [int(fd) for fd in address.split(",")[:2]]
        for fd, inode in zip(self.ends, address.split(",")[2:]):
            assert os.fstat(fd).st_ino == int(inode), "another file stands there"
            os.set_inheritable(fd, False)
        self.patience = None

    def fileno(self):
        return self.ends[0]

    def settimeout(self, seconds):
        self.patience = seconds

    def sendall(self, data):
        while data:
            data = data[os.write(self.ends[1], data):]

    def recv(self, count):
        if not select.select([self.ends[0]], [], [], self.patience)[0]:
            raise TimeoutError
        return os.read(self.ends[0], count)

    def shutdown(self, how):
        os.close(self.ends[1])

    def close(self):
        for fd in self.ends:
            os.close(fd)


def connect():
    kind, _, address = os.environ["TRANSPORT_ENDPOINT"].partition(":")
    if kind == "fd":
        return Pipes(address)
    if kind == "pipe":
        address = os.path.join(tempfile.gettempdir(), address if address[0] == "/" else "CoreFxPipe_" + address)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.connect(address)
    return sock


def frame(lanes, type, body, length=None):
    """One frame; `length` may lie."""
    return struct.pack(">BBBHBI", 0x93, lanes, 0xCD, type, 0xC6, len(body) if length is None else length) + body


def control(type, **keys):
    return frame(0, type, msgpack.packb(keys))


def hello(**other):
    keys = dict(protocol="transport", min=1, max=1, secret=SECRET, node="client", pid=os.getpid(), app="client/1.0", caps=[],
        maxPacket=16 << 20)
    return control(HELLO, **{k: v for k, v in {**keys, **other}.items() if v is not None})


def event(text, level=2, *more):
    return msgpack.packb([msgpack.Timestamp.from_unix_nano(time.time_ns()), level, "client", 0, text, None, None, None, *more])


def exactly(sock, count):
    data = bytearray()
    while len(data) < count:
        got = sock.recv(count - len(data))
        if not got:
            raise EOFError
        data += got
    return bytes(data)


def read(sock):
    """The next frame as (lane byte, type, value)."""
    _, lanes, _, type, _, length = struct.unpack(">BBBHBI", exactly(sock, 10))
    return lanes, type, msgpack.unpackb(exactly(sock, length), strict_map_key=False)


def answers(sock, seconds=80, until=()):
    """What comes from the other side until it ends or one of `until` came, as words: welcome, reject:CODE, detail:TEXT, goodbye:REASON,
    ack:N, eof, reset, silent."""
    words, end = [], time.monotonic() + seconds
    try:
        while not words or words[-1].split(":")[0] not in until:
            sock.settimeout(max(0.01, end - time.monotonic()))
            lanes, type, value = read(sock)
            if type == PING:
                sock.sendall(control(PONG, id=value["id"]))
            elif type == WELCOME:
                words.append("welcome")
            elif type == REJECT:
                words.append(f"reject:{value['code']}")
            elif type == GOODBYE:
                if "detail" in value:
                    words.append("detail:" + value["detail"].replace(" ", "_"))
                words.append(f"goodbye:{value['reason'] or 'clean'}")
            elif type == ACK:
                words.append(f"ack:{value['packets']}")
    except EOFError:
        words.append("eof")
    except TimeoutError:
        words.append("silent")
    except OSError:
        words.append("reset")
    return words


def finish(sock, packets):
    """The clean end of a worker that has sent so many packets."""
    sock.sendall(control(GOODBYE, packets=packets, reason=""))
    words = answers(sock, until=("goodbye",))
    sock.sendall(control(ACK, packets=0))
    sock.shutdown(socket.SHUT_WR)
    return words + answers(sock)
