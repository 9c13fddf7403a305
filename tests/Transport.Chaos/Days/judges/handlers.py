"""Links whose handlers throw, are slow and hang, and every way to end."""
from facts import end_of_link


def judge(facts, _):
    links = sorted({party[4:] for _, party, _, _ in facts if party.startswith("near")})
    for link in links:
        near = [fact for fact in facts if fact[1] == f"near{link}"]
        far = [fact for fact in facts if fact[1] == f"far{link}"]
        ends_on_failure = next(rest.split()[0] for _, _, word, rest in near if word == "policy") == "True"
        drops = next(rest.split()[2] for _, _, word, rest in near if word == "policy") == "Drop"
        mine, theirs = end_of_link(near), end_of_link(far)
        for name, one, other in (("near", mine, theirs), ("far", theirs, mine)):
            for wrong in one_way(one, other, drops):
                yield f"{name}{link}: {wrong}"
            for wrong in reason(one, other, ends_on_failure):
                yield f"{name}{link}: {wrong}"


def one_way(one, other, drops):
    """What one end sent, and the other took."""
    seen, fault, _, mine = one
    far, _, _, theirs = other
    queued = {int(values[1]): (time, values[2]) for time, values in seen["Queued"]}
    known = [number for number, (_, kind) in queued.items() if kind == "2000"]
    taken = {int(values[1]): (time, word) for word in ("handled", "threw") for time, values in far[word]}
    came = [int(values[1]) for _, values in far["handled"]]
    if any(later <= earlier for earlier, later in zip(came, came[1:])):
        yield "handled twice, or out of order"
    refused = {int(values[1]) for word in ("Full", "Closed", "Cancelled") for _, values in seen[word]}
    if refused & set(taken):
        yield f"{sorted(refused & set(taken))[:3]} were not taken, and came"
    full = len(seen["Full"]) + len(seen["FullAgain"])
    by_policy = full - mine["refused"]   # dropped and reported to the peer; without that policy none
    if by_policy < 0 or by_policy and not drops:
        yield f"{full} sends were answered Full, the receipt says {mine['refused']}"
    if mine["sent"] + mine["dropped"] != len(queued) + by_policy:
        yield f"{len(queued)} queued, {full} full, {mine['sent']} sent, {mine['dropped']} dropped"
    if mine["too_late"] != len(seen["Closed"]):
        yield f"{len(seen['Closed'])} sends were answered Closed, the receipt says {mine['too_late']}"
    # The last handler may have returned just when its link ended.
    late = len(far["handled"]) + len(far["threw"]) - theirs["handled"] - theirs["failures"]
    if not 0 <= late <= (0 if other[1] == "None" else 1) or theirs["handled"] > len(far["handled"]) or theirs["failures"] > len(far["threw"]):
        yield f"handled {len(far['handled'])}, threw {len(far['threw'])}: the receipt of the other end says {theirs['handled']}, {theirs['failures']}"
    if theirs["received"] < theirs["handled"] + theirs["unhandled"] + theirs["failures"]:
        yield f"of {theirs['received']} received more became something: {theirs}"
    if mine["acknowledged"] > theirs["handled"] + theirs["unhandled"] + theirs["failures"]:
        yield f"{mine['acknowledged']} acknowledged, and the other end was done with fewer: {theirs}"
    if mine["acknowledged"] > mine["sent"]:
        yield f"{mine['acknowledged']} of {mine['sent']} acknowledged"
    if mine["peer_unhandled"] > theirs["unhandled"] or mine["peer_failures"] > theirs["failures"]:
        yield f"says of the other end {mine['peer_unhandled']} unhandled, {mine['peer_failures']} failed; that says {theirs['unhandled']}, {theirs['failures']}"
    if mine["peer_unhandled"] + mine["peer_failures"] > mine["acknowledged"]:
        yield f"of {mine['acknowledged']} acknowledged more were unhandled or failed: {mine}"
    strangers = len(queued) - len(known)
    if theirs["unhandled"] > strangers + by_policy:
        yield f"{strangers} of a type without a handler, {theirs['unhandled']} unhandled"
    if fault == "None":
        missing = sorted(set(known) - set(taken))
        if missing:
            yield f"a clean end, and {len(missing)} from {missing[0]} on were not handled"
        if mine["acknowledged"] != mine["sent"]:
            yield f"a clean end, and {mine['acknowledged']} of {mine['sent']} acknowledged"
        if mine["peer_unhandled"] != theirs["unhandled"] or mine["peer_failures"] != theirs["failures"]:
            yield f"a clean end: {mine['peer_unhandled']} unhandled, {mine['peer_failures']} failed there; that end says {theirs['unhandled']}, {theirs['failures']}"
        if theirs["peer_sent"] != mine["sent"]:
            yield f"a clean end: {mine['sent']} sent, and the other end knows of {theirs['peer_sent']}"
        if theirs["peer_dropped"] != mine["dropped"]:
            yield f"a clean end: {mine['dropped']} dropped, and the other end knows of {theirs['peer_dropped']}"
    asks = {values[0]: time for time, values in seen["asks"]}
    for time, (number, answer) in seen["acknowledged"]:
        before = {what for what in known if queued[what][0] < asks[number] - 1}
        late = sorted(what for what in before if taken.get(what, (1e18, ""))[0] > time + 5)
        if answer == "True" and late:
            yield f"said to be acknowledged, and {len(late)} of {len(before)} were not handled by then, from {late[0]}"
        if answer == "False" and fault == "None" and time < seen["over"][0][0] - 1:
            yield "not acknowledged, and the link was open"


def reason(one, other, ends_on_failure):
    """Why an end ended."""
    seen, fault, text, _ = one
    far, other_fault, other_text, _ = other
    threw = bool(seen["threw"] or far["threw"])
    # Several short ones in a row may be as long as closing may take.
    hangs = any(sum(int(values[2]) for _, values in side_["hangs"]) >= 2000 for side_ in (seen, far))
    aborts = bool(seen["aborts"] or far["aborts"])
    if not (threw and ends_on_failure) and not hangs and not aborts and fault != "None":
        yield f"no reason to end otherwise than cleanly: {fault} {text} (the other end: {other_fault} {other_text})"
    if fault == "HandlerFailed" and not (threw and ends_on_failure):
        yield f"no handler threw: {text}"
    if fault == "Aborted" and not seen["aborts"]:
        yield f"nobody aborted it: {text}"
    if fault == "Timeout" and not hangs and not aborts:
        yield f"nothing hung: {text}"
    if fault not in ("None", "HandlerFailed", "Aborted", "Timeout", "PeerGone"):
        yield f"no reason of this day: {fault} {text}"
    if fault == "None" and other_fault not in ("None", "Timeout", "PeerGone", "Aborted"):
        yield f"clean, and the other end says {other_fault} {other_text}"
