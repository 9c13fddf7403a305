#!/usr/bin/python3
"""Draws the tool's pictures from a real build: transport watch in terminals of several widths, and the page of transport export --html.

    eng/draw-tool.py FOLDER

The build is that of a generated solution of 20 libraries and a program, from nothing, with 8 nodes. watch runs in a pseudo terminal that is
made wider and narrower meanwhile; its screen is drawn as SVG (watch-80.svg, watch-200.svg), the page by Chromium (page.png, page-dark.png,
page-narrow.png). Needs pyte (python3-pyte) and chromium.

Exit code 1: the build failed; a frame of the view had a row that was none of its own; watch needed more than 3 % of a core; the page
logged a line, or asked for anything but itself.
"""
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte

from builds import ROOT, prepare_solution, remove_outputs, run

MOST_CPU = 0.03
COLUMNS = [80, 200, 60, 80]     # what the terminal is resized to, in turn
ROWS = 24
CELL, LINE = 8.4, 18            # of 14 px monospace, in px
COLOURS = {"default": "#d4d4d4", "black": "#000000", "red": "#f14c4c", "green": "#23d18b", "brown": "#e5e510", "blue": "#3b8eea",
    "magenta": "#d670d6", "cyan": "#29b8db", "white": "#e5e5e5"}


def is_torn(screen):
    """Whether the live view, the last rows, has anything but a row for each node and one of counts."""
    rows = [row for row in screen.display if row.strip()]
    first = next((i for i, row in enumerate(rows) if re.match(r"node \d", row)), len(rows))
    return not all(re.match(r"node \d+  \S|[\d.]+ s  \d", row) for row in rows[first:])


def colour(name):
    name = name.replace("bright", "")
    return COLOURS.get(name, f"#{name}" if len(name) == 6 else COLOURS["default"])


def draw(screen, path):
    """Writes what a screen shows as an SVG."""
    filled = [y for y in range(screen.lines) if screen.display[y].strip()]
    rows = range(0, (filled[-1] if filled else 0) + 1)
    width, height = screen.columns * CELL + 24, len(rows) * LINE + 20
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" font-family="ui-monospace, Menlo, Consolas, '
        f'DejaVu Sans Mono, monospace" font-size="14"><rect width="100%" height="100%" rx="6" fill="#1e1e1e"/>']
    for y in rows:
        x = 0
        while x < screen.columns:
            cell, start, text = screen.buffer[y][x], x, ""
            while x < screen.columns and screen.buffer[y][x]._replace(data="") == cell._replace(data=""):
                text += screen.buffer[y][x].data
                x += 1
            weight = ' font-weight="bold"' if cell.bold else ""
            if text.strip():
                out.append(f'<text x="{12 + start * CELL:.1f}" y="{24 + y * LINE}" fill="{colour(cell.fg)}" xml:space="preserve" '
                    f'textLength="{len(text) * CELL:.1f}"{weight}>{html.escape(text)}</text>')
    path.write_text("\n".join([*out, "</svg>"]) + "\n", encoding="utf-8")


def resize(terminal, screen, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))
    screen.resize(ROWS, columns)


def watch(tool, journal, build, out):
    """Watches a build in a terminal until it has ended. Gives what is wrong."""
    screen = pyte.Screen(COLUMNS[0], ROWS)
    stream = pyte.ByteStream(screen)
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="", LINES="")
        os.execv(tool, [tool, "watch", journal])
    resize(terminal, screen, COLUMNS[0])
    start, turn, best, cpu, torn, frames = time.monotonic(), 0, {}, 0, 0, 0
    while True:
        try:
            drawn = os.read(terminal, 65536)
        except OSError:
            break   # watch has ended
        stream.feed(drawn)
        if drawn.endswith(b"\x1b[?2026l"):   # a whole frame
            frames += 1
            torn += is_torn(screen)
        busy = sum(1 for row in screen.display if "›" in row)
        if time.monotonic() - start > 0.5 and busy >= best.get(screen.columns, 0):
            best[screen.columns] = busy
            draw(screen, out / f"watch-{screen.columns}.svg")
        if time.monotonic() - start > 6 * (turn + 1) and turn + 1 < len(COLUMNS):
            turn += 1
            while select.select([terminal], [], [], 0.03)[0]:
                stream.feed(os.read(terminal, 65536))   # what was drawn for the width that there was
            resize(terminal, screen, COLUMNS[turn])
        try:
            words = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            cpu = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            pass    # it has just ended
    seconds = time.monotonic() - start
    os.waitpid(pid, 0)
    print(f"watch: {seconds:.0f} s, {cpu:.2f} s of CPU ({cpu / seconds:.1%}), {torn} of {frames} frames torn, busiest {best}")
    return [*(["watch needed too much CPU"] if cpu / seconds > MOST_CPU else []), *(["the view was torn"] if torn else []),
        *(["the build failed"] if build.wait() else [])]


def page(tool, journal, out):
    """Makes the page and draws it. Gives what is wrong."""
    file = out / "build.html"
    run(tool, "export", journal, "--html", file)
    wrong = []
    for name, size, dark in [("page", "1280,900", False), ("page-dark", "1280,900", True), ("page-narrow", "400,900", False)]:
        with tempfile.TemporaryDirectory() as profile:
            log = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                f"--user-data-dir={profile}", f"--window-size={size}", *(["--blink-settings=preferredColorScheme=0"] if dark else []),
                "--enable-logging=stderr", f"--screenshot={out / name}.png", file.as_uri()],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120).stderr
        wrong += [line for line in log.splitlines() if ":CONSOLE" in line]
    text = file.read_text(encoding="utf-8")
    print(f"page: {len(text) / 1e6:.1f} MB, console lines {len(wrong)}")
    file.unlink()
    return wrong + [f"the page names {word}" for word in ['src="http', 'href="http', "@import", "fetch("] if word in text]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        solution, tool, journal = prepare_solution(work), work / "tool/Transport.Tool", work / "journal"
        run("dotnet", "publish", ROOT / "src/Transport.Tool", "-c", "Release", "-f", "net10.0", "--use-current-runtime",
            "--self-contained", "false", "-o", work / "tool")
        remove_outputs(solution.parent)
        build = subprocess.Popen([tool, "collect", "--journal", journal, "--", "dotnet", "build", solution, "-m:8", "--no-restore"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(500):
            if (journal / "0000000001.segment").exists():
                break
            time.sleep(0.02)
        wrong = watch(str(tool), str(journal), build, out) + page(tool, journal, out)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
