"""A sender that spills to a small disk."""
from facts import numbers


def judge(facts, folder):
    queued = numbers(facts, "sender", "Queued")
    refused = numbers(facts, "sender", "Full")
    for sender, cancelled in numbers(facts, "sender", "Cancelled").items():
        refused[sender] += cancelled
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
                        for whose, number in [map(int, rest.split()[:2])] if str(whose) == sender), default=0)
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
