#!/usr/bin/env bash
# Prints which back end of the journal is faster on a disk of yours, write or uring, by the number of producers that wait
# (Transport.Journal, policy group). Writes below DIR and removes it again; needs 1 GB there.
#   eng/choose-journal-io.sh [DIR] [SECONDS a cell]
set -eu
cd "$(dirname "$0")/.."
dir=${1:-.}
mkdir -p "$dir"
DOTNET_TieredPGO=0 exec dotnet run -c Release --project perf/Transport.Loads -- journal-table "$(realpath "$dir")" "${2:-2}"
