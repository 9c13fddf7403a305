#!/usr/bin/env bash
# Says how often each byte of a packet, of a journal's record and of a written file is read and written by the library and the kernel, stage
# by stage (ARCHITECTURE.md, "How often a byte moves"). Counted in a build of its own, in a clone that is removed again: the counters are in
# no other.
#   eng/count-moves.sh
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/clone"
cd "$work/clone"
dotnet build perf/Transport.Loads -c Release -p:CountMoves=true -v q -nologo -clp:NoSummary
dotnet run --no-build -c Release --project perf/Transport.Loads -- moves
