#!/usr/bin/env python3
"""Two revisions of the library, the same load, in turns: what did the work between them cost?

usage: eng/compare-revisions.py BEFORE AFTER [PAIRS] [--rounds 7] [--scenario events] [--metric "CPU of both sides against raw"]

BEFORE and AFTER are checkouts (git worktree add) in which perf/Transport.Loads was built for Release. Each pair runs both, the first one by
turns, seven rounds (--rounds) each of Transport and of raw alone; what is compared is the metric's ratio to raw of the same run, since
a shared machine changes its speed from minute to minute, and the floor with it. Prints the median of the pairs' quotients with its 90 %
interval (bootstrap), the same not divided by raw, and beside both what two runs of BEFORE differ by: what this machine shows where
nothing has changed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from pairs import say

LOADS = "perf/Transport.Loads/bin/Release/net10.0/Transport.Loads.dll"


def measure(checkout, scenario, metric, folder, rounds):
    out = os.path.join(folder, "run.json")
    columns = ["--columns", "transport,raw"] if scenario == "events" else []   # other scenarios have no choice of columns
    command = ["dotnet", LOADS, scenario, "--rounds", str(rounds), *columns, "--json", out]
    ran = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if not os.path.exists(out):
        sys.exit(f"{checkout}: the load failed with exit code {ran.returncode}:\n{ran.stdout[-2000:]}")
    with open(out, encoding="utf-8") as file:
        rows = [row for row in json.load(file)["scenarios"] if row["metric"] == metric]
    os.remove(out)
    if not rows:
        sys.exit(f"{checkout}: scenario {scenario} has no metric \"{metric}\".")
    return rows[0]["transport"], rows[0]["ratio"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("pairs", nargs="?", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scenario", default="events")
    parser.add_argument("--metric", default="CPU of both sides against raw")
    given = parser.parse_args()
    for checkout in (given.before, given.after):
        if not os.path.exists(os.path.join(checkout, LOADS)):
            sys.exit(f"{checkout} has no {LOADS}: dotnet build -c Release perf/Transport.Loads there.")

    quotients = {"against raw": ([], []), "as it is": ([], [])}
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(given.pairs):
            turns = [given.before, given.after, given.before]
            if pair % 2:
                turns.reverse()
            values, shares = zip(*(measure(checkout, given.scenario, given.metric, folder, given.rounds) for checkout in turns))
            for (changed, same), (first, after, last) in zip(quotients.values(), (shares, values)):
                changed.append(after / statistics.mean((first, last)))
                same.append(first / last)
            print(f"pair {pair + 1}: before {shares[0]:.4g} and {shares[2]:.4g} x raw, after {shares[1]:.4g}: "
                f"{quotients['against raw'][0][-1]:.3f}; {values[0]:.4g}, {values[2]:.4g}, {values[1]:.4g}", flush=True)
    for how, (changed, same) in quotients.items():
        say(f"{how}: after / before", changed)
        say(f"{how}: before / before", same)


if __name__ == "__main__":
    main()
