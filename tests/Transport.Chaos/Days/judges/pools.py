"""A pool whose workers are asked, killed, stopped, recycled and die."""
import collections

from facts import numbers


def judge(facts, _):
    main = [fact for fact in facts if fact[1] == "main"]
    size, per_worker, recycle, restarts, restart, stop_ms = next(rest.split() for _, _, word, rest in main if word == "options")
    per_worker, recycle, stop_ms = int(per_worker), int(recycle), int(stop_ms)
    begun, done = collections.defaultdict(list), {}      # of an ask: (time, process) of each handler; its last word
    started, linked, left = {}, {}, {}
    for time, party, word, rest in facts:
        if party.startswith("w-"):
            process = party[2:]
            if word == "begun":
                begun[rest].append((time, process))
            elif word in ("done", "threw", "cancelled", "dies"):
                done[rest] = (time, word)
            elif word == "started":
                started[process] = time
            elif word == "linked":
                linked[process] = time
            elif word == "left":
                left[process] = (time, rest)
    dies = {party[2:]: time for time, party, word, _ in facts if word == "dies"}
    returns = {party[2:] for _, party, word, _ in facts if word == "returns"}
    killed = {rest: time for time, _, word, rest in main if word == "kill"}
    stops = {}
    for time, _, word, rest in main:
        if word == "stop":
            stops.setdefault(rest, time)
    over = next((time for time, _, word, _ in main if word == "poolstop"), None)
    gave_up = next((time for time, _, word, _ in main if word == "gaveup"), None)
    exits = collections.defaultdict(list)
    for time, _, word, rest in main:
        if word == "exited":
            process, *values = rest.split(" ", 5)
            exits[process].append((time, *values))

    asks = {rest.split()[0]: rest.split()[1:] for _, _, word, rest in main if word == "ask"}
    asked_at = {rest.split()[0]: time for time, _, word, rest in main if word == "ask"}
    ends = collections.defaultdict(list)
    for time, _, word, rest in main:
        if word in ("answered", "failed"):
            ends[rest.split()[0]].append((time, word, rest.split(" ", 4)[1:]))

    def first_stop(process):
        """When a process was first asked to stop, by hand or with the pool."""
        return min([when for when in (over, stops.get(process)) if when is not None], default=1e18)

    # Whose request hung when it was to stop: it may have to be killed.
    hanging = {process for ask, (kind, *_) in asks.items() if kind == "Hang" for _, process in begun[ask]
               if done.get(ask, (1e18, ""))[0] > first_stop(process) - 50}
    is_gone = set(killed) | set(dies)
    for ask, (kind, ms, timeout, cancel) in asks.items():
        handlers = begun[ask]
        if len(handlers) > 1:
            yield f"ask {ask} was begun by {[process for _, process in handlers]}: nothing is sent twice"
        if len(ends[ask]) != 1:
            yield f"ask {ask} has {len(ends[ask])} ends"
            continue
        time, word, values = ends[ask][0]
        process = handlers[0][1] if handlers else None
        what = done.get(ask, (0, ""))[1]
        if word == "answered":
            if what != "done" or values[0] != ask or values[1] != process:
                yield f"ask {ask} was answered by {values}, and {process} says {what or 'nothing'}"
            continue
        fault, elapsed, *message = values
        where = f"ask {ask} ({kind}, {ms} ms) failed with {fault} after {elapsed} ms: {' '.join(message)}"
        if fault == "RequestFailed":
            if what != "threw" or f"number {ask}" not in message[-1]:
                yield f"{where}; its handler says {what or 'nothing'}"
        elif fault == "PeerGone":
            if process is not None and process not in is_gone or not is_gone:
                yield f"{where}; {process} did not die"
        elif fault == "RequestTimeout":
            if timeout == "-1" or int(elapsed) < int(timeout) - 15:
                yield f"{where}; its timeout is {timeout}"
            elif f" {int(timeout) / 1000:g} s" not in " ".join(message):
                yield f"{where}; it does not name its timeout, {timeout} ms"
        elif fault == "Cancelled":
            if cancel == "-1" or int(elapsed) < int(cancel) - 15:
                yield f"{where}; it was to be cancelled after {cancel}"
        elif fault == "ConnectFailed":
            if (over is None or over > time) and (gave_up is None or gave_up > time) and restart == "Always":
                yield f"{where}; the pool goes on"
            if process is not None:
                yield f"{where}; and {process} had begun it"
        elif fault == "Stopped":
            # One that no handler began was on its way to some worker: any that was asked to stop may have been it.
            asked = [when for when in (over, *([stops.get(process)] if process else stops.values())) if when is not None and when <= time]
            if not asked and not (process is not None and recycle) and process not in returns:
                yield f"{where}; nobody stopped {process}"
            elif asked and kind != "Hang" and process is not None and process not in is_gone | hanging and process not in returns \
                    and time - min(asked) < stop_ms - 20:
                yield f"{where}; {time - min(asked):.0f} ms after the stop, which has {stop_ms}"
        else:
            yield f"{where}: no reason of this day"

    for process in started:
        here = sorted((when, min(done.get(ask, (1e18,))[0], ends[ask][0][0] if ends[ask] else 1e18)) for ask in asks
                      for when, whose in begun[ask] if whose == process)
        for i, (when, ended) in enumerate(here):
            if ended <= when:
                continue   # given up before its handler began: nobody waits for it, and its place is another's
            together = sum(1 for _, until in here[:i] if until > when + 50) + 1
            if together > per_worker:
                yield f"{process} had {together} requests at once, at most {per_worker}"
                break
        keeps = restart == "Never" or gave_up is not None
        if recycle and len(here) > recycle and not keeps:
            yield f"{process} had {len(here)} requests, and is recycled after {recycle}"

    handled = numbers(facts, "main", "handled")
    lost_news = 0
    for process in sorted(set(started) | set(exits)):
        if len(exits[process]) != 1:
            yield f"{process} has {len(exits[process])} exit reports"
            continue
        time, clean, all_handled, lost, unacknowledged, cause = exits[process][0]
        lost_news += int(unacknowledged)
        queued = set(numbers(facts, f"w-{process}", "Queued")[process])
        full = set(numbers(facts, f"w-{process}", "Full")[process])
        came = handled[process]
        if any(later <= earlier for earlier, later in zip(came, came[1:])):
            yield f"{process}: handled twice, or out of order"
        if full & set(came):
            yield f"{process}: {sorted(full & set(came))[:3]} were answered Full, and came"
        missing = len(queued - set(came))
        if missing and (all_handled == "True" or lost == "0"):
            yield f"{process}: {missing} answered Queued never came, and its report says lost {lost}, all handled {all_handled}"
        if lost != "-1" and missing > int(lost):
            yield f"{process}: {missing} answered Queued never came, and its report says {lost}"
        if clean == "True" and missing:
            yield f"{process}: a clean end, and {missing} never came"
        by_hand = process in killed and not (process in left and left[process][0] < killed[process])
        on_purpose = over is not None and over <= time or process in stops or recycle
        if by_hand or process in dies:
            if clean == "True" and process not in left:
                yield f"{process} was killed or died, and its exit is said to be clean"
            if cause not in ("killed SIGKILL", "exit 3") and process not in stops and (over is None or time < over) and process not in left:
                yield f"{process} was killed or died, and its report says: {cause}"
        elif process in started and process not in hanging:
            was_early = linked.get(process, 1e18) > first_stop(process) - 50 and cause == "killed SIGTERM"   # stopped before it was there
            if cause != "clean" and not was_early and process not in killed and stop_ms >= 2000:
                yield f"{process} had no reason to end otherwise than cleanly: {cause}, {left.get(process)}"
            if not on_purpose and process not in returns:
                yield f"{process} ended, and nobody wanted it to: {cause}"
    sent = {rest.split()[0] for _, _, word, rest in main if word == "sent" and rest.endswith(" Queued")}
    got = collections.Counter(rest for _, party, word, rest in facts if party.startswith("w-") and word == "got" and rest[0] != "-")
    for number in got:
        if got[number] > 1:
            yield f"news {number} came {got[number]} times"
    if len(sent - set(got)) > lost_news:
        yield f"{len(sent - set(got))} of {len(sent)} news never came, and reports name {lost_news} packets"

    undeliberate = sum(1 for process in exits if process not in stops and (over is None or exits[process][0][0] < over))
    if gave_up is not None and undeliberate <= int(restarts):
        yield f"the pool gave up after {undeliberate} exits that nobody asked for, at most {restarts}"
    for time, _, word, rest in main:
        if word == "waited" and " OperationCanceledException" in rest or word == "waited" and " TaskCanceledException" in rest:
            yield f"after 30 s neither so many workers nor a word that there will be none: {rest}"
        if word == "waited" and "TransportException" in rest and (over is None or over > time) and restart == "Always" \
                and (gave_up is None or gave_up > time):
            yield f"the pool goes on, and there are said to be too few workers for good: {rest}"
    running, connected, waiting, *_ = next(rest.split() for _, _, word, rest in main if word == "status")
    if (running, connected, waiting) != ("0", "0", "0"):
        yield f"the pool is stopped, and its status says {running} running, {connected} connected, {waiting} waiting"
    if not any(word == "completed" and rest == "True" for _, _, word, rest in main):
        yield "the pool is stopped, and not completed"
    for _, _, word, rest in main:
        if word == "alive":
            yield f"{rest} still runs"
