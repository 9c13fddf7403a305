"""Links whose packets are read by loops of the program."""
from facts import end_of_link


def judge(facts, _):
    loops = [fact for fact in facts if fact[1] == "loops"]
    made = {tuple(rest.split()[:2]): int(rest.split()[2]) for _, _, word, rest in loops if word == "loop"}
    left = {tuple(rest.split()): time for time, _, word, rest in loops if word == "leaves"}
    over = {tuple(rest.split()[:2]): (time, rest.split()[2]) for time, _, word, rest in loops if word == "over"}
    # A request whose response stands behind more than the loop holds takes its 200 ms.
    hung = sum(int(rest) if word == "hangs" else 200 for _, _, word, rest in loops if word in ("hangs", "ask"))
    links = sorted({party[4:] for _, party, _, _ in facts if party.startswith("near")})
    ends = []
    for link in links:
        near = end_of_link([fact for fact in facts if fact[1] == f"near{link}"])
        far = end_of_link([fact for fact in facts if fact[1] == f"far{link}"])
        ends.append(near[0]["over"][0][0])
        answers = sum(rest.startswith(f"ask-w{link}-") for _, _, word, rest in loops if word == "begin")
        mine = {kind: loop for loop in made for kind in (loop[1],) if loop[0] in ("-1", link)}
        for wrong in one_link(near, far, mine, left, hung, answers):
            yield f"link {link}: {wrong}"
    for loop, (time, how) in over.items():
        if how == "ended" and loop[0] == "-1" and time < max(ends) - 5:
            yield f"loop {loop} ended before its links had"


def one_link(near, far, loops, left, hung, answers):
    """Of a link's receipt up to `answers` packets are responses to what the loops' bodies asked."""
    seen, fault, text, mine = far
    there, near_fault, near_text, theirs = near
    queued = {int(values[1]): (time, values[2]) for time, values in seen["Queued"]}
    refused = {int(values[1]) for word in ("Full", "Closed", "Cancelled") for _, values in seen[word]}
    done = {int(values[1]): time for time, values in there["done"]}
    for kind in ("2000", "2001"):
        came = [int(values[1]) for _, values in there["took"] if values[2] == kind]
        if any(later <= earlier for earlier, later in zip(came, came[1:])):
            yield f"taken twice, or out of order, of {kind}"
    if refused & set(done) or set(done) - set(queued):
        yield f"{sorted(refused & set(done))[:3]} were refused, {sorted(set(done) - set(queued))[:3]} not queued, and came"
    # Who takes a kind: a loop, until it is left; a handler, if any of it was handled without being taken; nobody.
    gone = {kind: left[loop] for kind, loop in loops.items() if loop in left}
    handler = any(values[2] == "2001" for _, values in there["done"]) and "2001" not in loops
    nobody = {number for number, (_, kind) in queued.items() if kind == "2001" and "2001" not in loops and not handler}
    lost = {number for number, (_, kind) in queued.items() if kind in gone and number not in done}
    if theirs["unhandled"] > len(nobody) + len(lost):
        yield f"{theirs['unhandled']} unhandled, of at most {len(nobody)} of nobody's and {len(lost)} of loops that were left"
    if theirs["failures"]:
        yield f"{theirs['failures']} failed, and nothing threw"
    # The end's receipt: done by then, and one of each loop may have come to its end just then.
    by_then = sum(time <= there["over"][0][0] for time in done.values())
    begun = sum(time <= there["over"][0][0] - 5 for time in done.values())
    if not begun - len(loops) <= theirs["handled"] <= by_then + len(loops) + answers:
        yield f"{theirs['handled']} handled at the end, {begun} to {by_then} were done"
    if mine["acknowledged"] > theirs["handled"] + theirs["unhandled"]:
        yield f"{mine['acknowledged']} acknowledged, and the other end was done with fewer: {theirs}"
    if fault == "None" or near_fault == "None":
        missing = sorted(number for number, (_, kind) in queued.items() if number not in done and number not in nobody and kind not in gone)
        if missing:
            yield f"a clean end, and {len(missing)} from {missing[0]} on were not done"
        late = sorted(number for number, time in done.items() if time > there["over"][0][0] + 5)
        if late and near_fault == "None":
            yield f"a clean end, and {len(late)} were done behind it, from {late[0]}"
        if near_fault == "None" and theirs["unhandled"] != len(nobody) + len(lost):
            yield f"a clean end: {theirs['unhandled']} unhandled; {len(nobody)} of nobody's, {len(lost)} of loops that were left"
    if fault == "None" and (mine["acknowledged"] != mine["sent"] or mine["peer_unhandled"] != theirs["unhandled"]):
        yield f"a clean end: {mine}, the other end {theirs}"
    # What counts as not handled at the end is not read behind it.
    over = there["over"][0][0]
    behind = sorted(int(values[1]) for time, values in there["took"] if time > over + 5)
    if behind:
        yield f"the link had ended, and its loops took {len(behind)} from {behind[0]} on"
    if near_fault == "PeerGone" and seen["aborts"] and hung < 2000 and theirs["received"] != theirs["handled"] + theirs["unhandled"]:
        yield f"the other end was gone, and this one did not wait for its loops: {theirs}"
    asks = {values[0]: time for time, values in seen["asks"]}
    for time, (number, answer) in seen["acknowledged"]:
        before = {what for what, (when, kind) in queued.items() if when < asks[number] - 1 and what not in nobody and kind not in gone}
        late = sorted(what for what in before if done.get(what, 1e18) > time + 5)
        if answer == "True" and late:
            yield f"said to be acknowledged, and {len(late)} of {len(before)} were not done by then, from {late[0]}"
        if answer == "False" and fault == "None" and time < seen["over"][0][0] - 1:
            yield "not acknowledged, and the link was open"
    aborts = bool(seen["aborts"] or there["aborts"])
    if not aborts and hung < 2000:
        for which, what, why in (("near", near_fault, near_text), ("far", fault, text)):
            if what != "None":
                yield f"no reason for {which} to end otherwise than cleanly: {what} {why}"

