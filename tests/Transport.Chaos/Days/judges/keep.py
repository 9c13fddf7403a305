"""A main node that keeps packets on a small disk."""
import collections
import pathlib
import struct

from facts import numbers


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


def judge(facts, folder):
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
