#!/usr/bin/python3
"""Draws the projects of a build by node, from a trace of the build harness.

    dotnet run -c Release --project samples/BuildHarness -- build samples/Example/Example.slnx --trace build.json
    eng/draw-build.py build.json docs/build.svg
"""

import html
import json
import sys

LEFT, WIDTH, ROW, BAR = 90, 900, 34, 24


def main(trace, picture):
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)
    events = events if isinstance(events, list) else events["traceEvents"]
    nodes = {e["pid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    bars = [e for e in events if e["ph"] == "X" and e["name"] != "write"]
    rows = sorted({e["pid"] for e in bars}, key=lambda pid: (pid != 1, nodes[pid]))
    total = max(e["ts"] + e["dur"] for e in bars)
    height = ROW * len(rows) + 46
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 10} {height}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for second in range(int(total / 1e6) + 1):
        x = LEFT + second * 1e6 / total * WIDTH
        out.append(f'<line x1="{x:.0f}" y1="8" x2="{x:.0f}" y2="{height - 22}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.0f}" y="{height - 8}" fill="#666" text-anchor="middle">{second} s</text>')
    for row, pid in enumerate(rows):
        y = 12 + row * ROW
        out.append(f'<text x="8" y="{y + 16}">{html.escape(nodes[pid])}</text>')
        for bar in sorted((e for e in bars if e["pid"] == pid), key=lambda e: e["ts"]):
            x, width = LEFT + bar["ts"] / total * WIDTH, max(bar["dur"] / total * WIDTH, 1)
            good = bar.get("args", {}).get("what", "succeeded") == "succeeded"
            color = "#7a8a99" if pid == 1 else "#1b6ca8" if good else "#b03030"
            out.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3" fill="{color}" stroke="white"/>')
            if width > 6.5 * len(bar["name"]):
                out.append(f'<text x="{x + 6:.1f}" y="{y + 16}" fill="white">{html.escape(bar["name"])}</text>')
    out.append("</svg>")
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
