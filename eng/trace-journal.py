#!/usr/bin/env python3
"""Traces the system calls of the harness while it keeps a journal, and looks whether a finished sync stands between a packet's last
write to the journal and the Ack that covers it. usage: eng/trace-journal.py [events=3000] [always|group=group]
Needs strace (Debian: apt-get install strace) and a built harness (BUILDHARNESS names another). Exit code 0: it does, for every packet and
every Ack; 1: it does not, or the trace shows too little to say so; 77: it cannot be looked at here.

How: tests/assets/numbered.py sends events whose messages hold their number, so packet n is found in the bytes of a write. A write is
over, and a sync begins, where strace says so; of calls that overlap the end of one and the beginning of the other count."""
import os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HARNESS = os.environ.get("BUILDHARNESS", os.path.join(ROOT, "samples/BuildHarness/bin/Debug/net10.0/buildharness"))
CALLS = "pwrite64,pwritev,pwritev2,write,writev,sendto,sendmsg,fdatasync,fsync,sync_file_range"
LINE = re.compile(r"^(\d+) +([\d.]+) (.*)$")
BEGIN = re.compile(r"^(\w+)\((\d+)(?:<([^>]*)>)?")
EVENT = re.compile(rb"event (\d{12})")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def calls(path):
    """Each finished call as (begin, end, name, file, data, result): begin and end are line numbers, which are in the order of time."""
    open_calls = {}
    with open(path, errors="replace") as lines:
        for at, line in enumerate(lines):
            match = LINE.match(line)
            if not match:
                continue
            thread, rest = match[1], match[3]
            if rest.startswith("<... "):
                begun = open_calls.pop(thread, None)
                if begun:
                    begin, head = begun
                    yield from call(begin, at, head + rest[rest.index("resumed>") + 8:])
            elif rest.rstrip().endswith("<unfinished ...>"):
                open_calls[thread] = (at, rest.rstrip()[:-len("<unfinished ...>")])
            else:
                yield from call(at, at, rest)


def call(begin, end, text):
    match = BEGIN.match(text)
    if match:
        data = bytes.fromhex("".join(re.findall(r"\\x([0-9a-f]{2})", text[match.end():])))
        name = re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), match[3] or "")
        result = re.search(r"= (-?\d+)", text[text.rindex(")"):])
        yield begin, end, match[1], name, data, int(result[1]) if result else -1


def acks(data):
    """The numbers of the Acks in bytes written to the worker: frames of type 5 on lane 0."""
    at = 0
    while (at := data.find(b"\x93\x00\xcd\x00\x05\xc6", at)) >= 0:
        length = int.from_bytes(data[at + 6:at + 10], "big")
        body = data[at + 10:at + 10 + length]
        key = body.find(b"packets") + 7
        size = {0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8}.get(body[key], 0)
        yield body[key] if size == 0 else int.from_bytes(body[key + 1:key + 1 + size], "big")
        at += 10


def main(events=3000, sync="group"):
    if not shutil.which("strace"):
        skip("strace is not installed (Debian: apt-get install strace)")
    if not os.path.exists(HARNESS):
        skip(f"{HARNESS} is not built")
    with tempfile.TemporaryDirectory() as folder:
        trace, journal, log = (os.path.join(folder, name) for name in ("trace", "journal", "acks"))
        command = ["strace", "-f", "-ttt", "-y", "-xx", "-s", "2000000", "-o", trace, "-e", "trace=" + CALLS, "-e", "signal=none",
                   HARNESS, "run", "--wire", "unix", "--journal", journal, "--journal-sync", sync, "--journal-segment", "1048576",
                   "--", sys.executable, os.path.join(ROOT, "tests/assets/numbered.py"), log, str(events)]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if "ptrace" in run.stderr and run.returncode:
            skip("strace may not trace here: " + run.stderr.splitlines()[0])
        if run.returncode:
            print(f"the run ended with {run.returncode}: {run.stderr}")
            return 1
        written, syncs, reported, trusted = {}, {}, 0, 0   # packet -> (end of its last write, file); file -> [(begin, end)]
        found = [c for c in calls(trace)]
        for begin, end, name, file, data, result in found:
            if name.startswith("pwrite") and ".segment" in file or name.startswith("pwrite") and "spare" in file:
                for number in EVENT.findall(data):
                    packet = int(number) + 1
                    written[packet] = max(written.get(packet, (-1, "")), (end, file))
            elif name in ("fdatasync", "fsync") and result == 0:
                syncs.setdefault(file, []).append((begin, end))
        faults = []
        for begin, end, name, file, data, result in found:
            if name in ("write", "writev", "sendto", "sendmsg") and "journal" not in file:
                for number in acks(data):
                    reported += 1
                    for packet in range(trusted + 1, number + 1):
                        where = written.get(packet)
                        if where is None:
                            faults.append(f"Ack {number}: no write of packet {packet} was seen")
                        elif not any(s >= where[0] and e <= begin for s, e in syncs.get(where[1], [])):
                            faults.append(f"Ack {number}, at line {begin + 1} of the trace: no finished sync of "
                                f"{os.path.basename(where[1])} since the write of packet {packet}, which ended at line {where[0] + 1}")
                    trusted = max(trusted, number)
        print(f"{events} events, {sync}: {len(written)} packets written, {sum(map(len, syncs.values()))} syncs of {len(syncs)} files, "
            f"{reported} Acks up to {trusted}: {len(faults)} faults")
        print("\n".join(faults[:20]))
        return 0 if not faults and trusted == events and reported else 1


if __name__ == "__main__":
    sys.exit(main(*(int(a) if a.isdigit() else a for a in sys.argv[1:])))
