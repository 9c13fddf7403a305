"""What the parties of a round wrote down, and what every round promises."""
import collections
import pathlib


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


RECEIPT = ("sent acknowledged dropped refused too_late received handled unhandled failures peer_sent peer_dropped peer_refused "
           "peer_unhandled peer_failures flushed").split()


def end_of_link(facts):
    """What one end of a link noted: its facts by word, the fault and the reason of its end, its receipt."""
    seen = collections.defaultdict(list)
    for time, _, word, rest in facts:
        seen[word].append((time, rest.split(" ", 1) if word == "over" else rest.split()))
    (_, (fault, *reason)), = seen["over"]
    (_, numbers), = seen["receipt"]
    return seen, fault, " ".join(reason), dict(zip(RECEIPT, map(int, numbers)))
