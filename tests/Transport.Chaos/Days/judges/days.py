#!/usr/bin/env python3
"""Judges a round of `Transport.Chaos days`: reads what its parties wrote down, and says which promise was broken.

    days.py FAMILY FOLDER

A file of facts has a line a fact: the monotonic time in ms, a word, its values. `begin NAME MS` and `end NAME` bound a wait. It knows
nothing of the library but what its documentation promises.
"""
import collections
import pathlib
import struct
import sys


def read(folder):
    """Every fact of every party, by time."""
    facts = []
    for path in sorted(pathlib.Path(folder).glob("*.facts")):
        for line in path.read_text().splitlines():
            time, word, *rest = line.split(" ", 2)
            facts.append((float(time), path.stem, word, rest[0] if rest else ""))
    return sorted(facts, key=lambda fact: fact[0])


def waits(facts):
    """Each wait ends, and within its bound."""
    begun = {}
    for time, party, word, rest in facts:
        if word == "begin":
            name, most = rest.rsplit(" ", 1)
            begun[party, name] = (time, float(most))
        elif word == "end":
            start, most = begun.pop((party, rest))
            if time - start > most:
                yield f"{party} waited {time - start:.0f} ms for {rest}, at most {most:.0f} were promised"
    for (party, name), _ in begun.items():
        yield f"{party} still waits for {name}"


def numbers(facts, party, word):
    found = collections.defaultdict(list)
    for _, whose, what, rest in facts:
        if whose == party and what == word:
            sender, number = rest.split()[:2]
            found[sender].append(int(number))
    return found


def journal(folder):
    """Every packet of a journal, by docs/reference/journal-format.md alone: (position, node, body). Sums are not computed: the chain of
    stored ones leads through what is valid."""
    last = 0
    for path in sorted(pathlib.Path(folder).glob("*.segment")):
        data = path.read_bytes()
        chain = struct.unpack_from("<I", data, 124)[0]
        at = 4096
        while at + 40 <= len(data):
            total, length, position, _, previous, _, _, named, kind, _ = struct.unpack_from("<IIqIIIHBBq", data, at)
            whole = (40 + named + length + 7) & ~7
            if kind not in range(1, 7) or previous != chain or at + whole > len(data) or total == 0:
                break
            if kind == 1:
                if position <= last:
                    raise ValueError(f"{path.name}: position {position} behind {last}")
                last = position
                yield position, data[at + 40:at + 40 + named].decode(), data[at + 40 + named:at + 40 + named + length]
            chain = total
            at += whole


def keep(facts, folder):
    queued = numbers(facts, "workers", "Queued")
    handled = numbers(facts, "main", "handled")
    kept = collections.defaultdict(list)
    for _, node, body in journal(pathlib.Path(folder) / "journal"):
        worker, number = struct.unpack_from(">ii", body, 5)
        kept[str(worker)].append(number)
        if node != f"w{worker}":
            yield f"a packet of w{worker} is said to be of {node}"
    is_full = any(word == "disk" and rest == "full" for _, _, word, rest in facts)
    ends = {(party, rest.split()[0]): rest.split() for _, party, word, rest in facts if word == "ended"}
    for worker in sorted(queued):
        sent = queued[worker]
        if kept[worker] != sent[:len(kept[worker])]:
            yield f"w{worker}: the journal has other packets, or in another order, than were sent"
        if not set(handled[worker]) <= set(kept[worker]) and not is_full:
            yield f"w{worker}: handled, and not in the journal"
        _, fault, _, acknowledged, *_ = ends["workers", worker]
        if int(acknowledged) > len(kept[worker]):
            yield f"w{worker}: {acknowledged} acknowledged, {len(kept[worker])} in the journal"
        if fault == "None" and len(kept[worker]) != len(sent):
            yield f"w{worker}: a clean end, {len(sent)} sent, {len(kept[worker])} in the journal"
        if not is_full and fault != "None":
            yield f"w{worker}: the disk is free, and the link ended: {' '.join(ends['workers', worker])}"
        if fault not in ("None", "Timeout"):
            yield f"w{worker}: a full disk is no fault: {' '.join(ends['workers', worker])}"


def spill(facts, folder):
    queued = numbers(facts, "sender", "Queued")
    refused = numbers(facts, "sender", "Full")
    handled = numbers(facts, "main", "handled")
    closing = next((time for time, _, word, rest in facts if word == "begin" and rest.startswith("close-away")), None)
    named = sum(int(rest.split()[2]) for time, _, word, rest in facts if word == "report"
                and rest.split()[0] in ("JournalFull", "JournalFailed", "PacketLost") and closing is not None and time >= closing)
    crashed = next((time for time, _, word, _ in facts if word == "crash"), None)
    missing = 0
    for sender in sorted(set(queued) | set(handled)):
        came = handled[sender]
        if any(later <= earlier for earlier, later in zip(came, came[1:])):
            yield f"sender {sender}: handled twice, or out of order"
        for number in set(came) & set(refused[sender]):
            yield f"sender {sender}: {number} was answered Full, and came"
        left = set(queued[sender]) - set(came)
        if crashed is not None:   # what was in memory is gone without a word; what was taken since is not
            last = max((number for time, _, word, rest in facts if word == "Queued" and time < crashed
                        for whose, number in [map(int, rest.split())] if str(whose) == sender), default=0)
            left = {number for number in left if number > last}
        missing += len(left)
        if left and closing is None:
            yield f"sender {sender}: {len(left)} of {len(queued[sender])} answered Queued never came, from {min(left)} to {max(left)}"
    if missing > named and closing is not None:
        yield f"{missing} answered Queued never came, and reports name {named}"
    for _, _, word, rest in facts:
        if word == "delivered":
            name, is_delivered, *_ = rest.split()
            if name == "last" and is_delivered != "True" and missing == 0:
                yield f"everything came, and the sender says otherwise: {rest}"
            if name == "last" and is_delivered == "True" and missing > named:
                yield f"the sender says that everything came, and {missing} did not"
        if word == "report" and rest.startswith("JournalFailed") and not (closing is not None and " DiskFull " in rest):
            yield f"the disk was only full: {rest}"
        if word == "report" and rest.startswith("JournalDamaged"):
            yield f"nobody harmed the journal: {rest}"


def main():
    family, folder = sys.argv[1:]
    facts = read(folder)
    wrong = list(waits(facts)) + list({"spill": spill, "keep": keep}[family](facts, folder))
    print("\n".join(wrong))
    return 1 if wrong or not facts else 0


if __name__ == "__main__":
    sys.exit(main())
