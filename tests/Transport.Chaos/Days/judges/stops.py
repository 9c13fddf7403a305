"""A host with a pool of workers that SIGTERM stops at any moment."""
import re

from facts import numbers


def judge(facts, _):
    lines = [(time, rest) for time, party, word, rest in facts if party == "outside" and word == "line"]
    killed = {rest for _, _, word, rest in facts if word == "kill"}
    stop = next((time for time, _, word, _ in facts if word == "stop"), 1e18)
    code = next((rest for _, _, word, rest in facts if word == "code"), "none")
    if code not in ("0", "143"):
        yield f"exit code {code}"
    begun = any(party == "main" for _, party, *_ in facts) or any("Transport" in line for _, line in lines)
    if code == "143" and begun:
        yield "exit code 143, and the host had begun"
    for _, line in lines:
        if re.match(r"(fail|crit): ", line) and not any(f"pid {process}" in line for process in killed):
            yield f"a stop is no error: {line}"
        if "Unhandled exception" in line:
            yield line
    exits = {}
    for _, line in lines:
        if found := re.search(r"Worker (\S+) \(pid (\d+)\) (?:exited|was stopped [^:]*): (.*)", line):
            if found[2] in exits:
                yield f"{found[2]} has two exits"
            exits[found[2]] = found[3]
            if "fail" not in line and found[2] in killed:
                yield f"killed by somebody: {line}"
    handled = numbers(facts, "main", "handled")
    shown = {(found[1], int(found[2])): time for time, line in lines if (found := re.search(r"day (\d+) (\d+)$", line))}
    for party in sorted({party for _, party, _, _ in facts if party.startswith("w-")}):
        process = party[2:]
        queued = numbers(facts, party, "Queued")[process]
        refused = numbers(facts, party, "Full")[process] + numbers(facts, party, "Closed")[process]
        came = handled[process]
        if any(later <= earlier for earlier, later in zip(came, came[1:])):
            yield f"{process}: handled twice, or out of order"
        if set(refused) & set(came):
            yield f"{process}: not taken, and came"
        said = exits.get(process)
        missing = len(set(queued) - set(came))
        seen = queued or came or any(whose == party and word in ("logged", "stops") for _, whose, word, _ in facts)
        if said is None and seen:
            yield f"{process} was linked, and no exit of it is logged"
        if missing and said is not None and process not in killed and "lost" not in said and "not handled" not in said:
            yield f"{process}: {missing} of {len(queued)} queued never came, and its exit says: {said}"
        if process in killed and said is not None and ("SIGKILL" not in said or not any(
                line.startswith("fail: ") and f"pid {process}" in line for _, line in lines)):
            yield f"{process} was killed, and its exit says: {said}"
        if process not in killed and said is not None and "clean" in said.split(",")[0]:
            stops = next((time for time, whose, word, _ in facts if whose == party and word == "stops"), None)
            logged = {int(rest.split()[1]) for time, whose, word, rest in facts if whose == party and word == "logged" and time < stop - 20}
            lost = sorted(number for number in logged if (process, number) not in shown)
            if lost and stops is not None:
                yield f"{process}: {len(lost)} of {len(logged)} lines never came, from {lost[0]}, and its exit says: {said}"
