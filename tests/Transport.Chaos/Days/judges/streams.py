"""Streams and requests with progress, and every way in which they end."""
import collections


def judge(facts, _):
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    for time, party, word, rest in facts:
        values = rest.split(" ", 3) if word == "ended" else rest.split()
        if word in ("begun", "item", "threw", "all", "left", "got", "asks", "ended") and values:
            seen[values[0]][word].append((time, values[1:]))
    link_ends = min((time for time, party, word, _ in facts if word == "ends"), default=0)
    way = next((int(rest) for _, _, word, rest in facts if word == "ends"), -1)
    for ask, what in seen.items():
        if not what["asks"]:
            continue
        (_, (kind, items, fails, timeout, cancel, leaves)), = what["asks"]
        if len(what["ended"]) != 1:
            yield f"ask {ask} has {len(what['ended'])} ends"
            continue
        ((time, (how, elapsed, text)),) = what["ended"]
        got = [int(values[0]) for _, values in what["got"]]
        made = [int(values[0]) for _, values in what["item"]]
        where = f"ask {ask} ({kind}, {items} items, timeout {timeout}, cancel {cancel}, leaves {leaves}): {how} after {elapsed} ms, {text}"
        asked = what["asks"][0][0]
        over = min([when for word in ("all", "threw", "left") for when, _ in what[word]] + [link_ends or 1e18], default=1e18)
        if timeout != "-1" and int(elapsed) > int(timeout) + 500 and (how == "RequestTimeout" or over > asked + int(timeout) + 5):
            yield f"{where}; {int(elapsed) - int(timeout)} ms too late"
        if len(what["begun"]) > 1:
            yield f"{where}; begun {len(what['begun'])} times"
        if kind == "walk" and got != list(range(1, len(got) + 1)):
            yield f"{where}; items came in another order, or with holes"
        if any(later <= earlier for earlier, later in zip(got, got[1:])):
            yield f"{where}; progress twice, or out of order"
        if any(when > time + 1 for when, _ in what["got"]):
            yield f"{where}; something came behind its end"
        if not set(got) <= set(made):
            yield f"{where}; something came that nobody had sent"
        if how == "whole":
            if not what["all"] or kind == "walk" and len(got) != int(items):
                yield f"{where}; {len(got)} of {items} came"
            if kind == "work" and made and got[-1:] != made[-1:]:
                yield f"{where}; the last progress was {got[-1:]}, not {made[-1:]}"
        elif how == "RequestFailed":
            if not what["threw"] or f"number {ask}" not in text:
                yield f"{where}; its handler did not throw"
            elif kind == "walk" and len(got) != len(made):
                yield f"{where}; {len(got)} of the {len(made)} items before it came"
        elif how == "RequestTimeout":
            if timeout == "-1" or int(elapsed) < int(timeout) - 15:
                yield f"{where}; too early"
            if f"{int(timeout) / 1000:g} s" not in text or "cancel" in text.lower():
                yield f"{where}; other words than its timeout's"
            if got and "No response" in text:
                yield f"{where}; {len(got)} came before"
        elif how == "Cancelled":
            if cancel == "-1" or int(elapsed) < int(cancel) - 15:
                yield f"{where}; nobody cancelled it"
        elif how == "left":
            if len(got) != int(leaves):
                yield f"{where}; {len(got)} came"
        elif how in ("Stopped", "PeerGone", "Aborted", "Timeout"):
            if time < link_ends or way < 5 or how != "Stopped" and way == 7:
                yield f"{where}; its link was there, or closed in order"
        else:
            yield f"{where}: no reason of this day"
        if how in ("whole", "RequestFailed", "left", "RequestTimeout", "Cancelled") and what["begun"] and not what["left"]:
            yield f"{where}; its handler never ended"
        if what["left"] and how in ("left", "RequestTimeout", "Cancelled") and what["left"][0][0] > time + 2000:
            yield f"{where}; its handler ended {what['left'][0][0] - time:.0f} ms later"
    for _, _, word, rest in facts:
        if word == "open" and rest != "0":
            yield f"{rest} handlers run, and the link is over"
        if word == "over" and way not in (5, 6) and not rest.startswith("None None"):
            yield f"the link ended otherwise than cleanly: {rest}"
