#!/usr/bin/env python3
"""Merges what coverlet wrote of several test runs, and says what was run: coverage.py [--merge OUT] FILE... [--missed]."""
import json
import sys


def read(paths):
    """Gives, for each file, the hits of its lines and of its branches."""
    files = {}
    for path in paths:
        with open(path, encoding="utf-8") as source:
            for module in json.load(source).values():
                for name, types in module.items():
                    short = name[name.rindex("src/Transport/"):] if "src/Transport/" in name else name
                    lines, branches = files.setdefault(short, ({}, {}))
                    for methods in types.values():
                        for method, body in methods.items():
                            for line, hits in body["Lines"].items():
                                lines[int(line)] = lines.get(int(line), 0) + hits
                            for b in body["Branches"]:
                                key = f'{b["Line"]}:{method}:{b["Offset"]}:{b["Path"]}:{b["Ordinal"]}'
                                branches[key] = branches.get(key, 0) + b["Hits"]
    return files


def write(out, files):
    """Writes it in a shape that read() takes again."""
    merged = {name: {"": {"": {
        "Lines": {str(n): h for n, h in sorted(lines.items())},
        "Branches": [{"Line": int(k.split(":")[0]), "Offset": k, "Path": 0, "Ordinal": 0, "Hits": h}
            for k, h in sorted(branches.items())]}}}
        for name, (lines, branches) in sorted(files.items())}
    with open(out, "w", encoding="utf-8") as target:
        json.dump({"Transport": merged}, target)


def share(hits):
    """Gives how many are there and how many were run."""
    return len(hits), sum(1 for h in hits.values() if h)


def row(name, lines, branches):
    print(f"| {name} | {lines[1]:,} of {lines[0]:,} | {100 * lines[1] / max(1, lines[0]):.1f} % | {branches[1]:,} of {branches[0]:,} | "
        f"{100 * branches[1] / max(1, branches[0]):.1f} % |")


def table(files):
    layers = {}
    for name, (lines, branches) in files.items():
        parts = name.split("/")
        layer = layers.setdefault(parts[2] if len(parts) > 3 else "(root)", [0, 0, 0, 0])
        for i, count in enumerate(share(lines) + share(branches)):
            layer[i] += count
    print("| layer | lines | | branches | |\n|---|---|---|---|---|")
    for name, (a, b, c, d) in sorted(layers.items()):
        row(name, (a, b), (c, d))
    row("all", *(tuple(sum(r[i] for r in layers.values()) for i in pair) for pair in ((0, 1), (2, 3))))


def missed(files):
    for name, (lines, branches) in sorted(files.items()):
        gone = sorted(n for n, h in lines.items() if not h)
        half = sorted({int(k.split(":")[0]) for k, h in branches.items() if not h} - set(gone))
        if gone or half:
            runs = []
            for n in gone:
                if runs and n - runs[-1][1] <= 1:
                    runs[-1][1] = n
                else:
                    runs.append([n, n])
            print(f'{name}: lines {" ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "-"}; a branch of '
                f'{" ".join(map(str, half)) or "-"}')


def main(args):
    out = None
    if "--merge" in args:
        at = args.index("--merge")
        out = args[at + 1]
        del args[at:at + 2]
    show = "--missed" in args
    files = read([a for a in args if a != "--missed"])
    if out:
        write(out, files)
    missed(files) if show else table(files)


main(sys.argv[1:])
