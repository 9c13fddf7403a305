#!/usr/bin/env bash
# Prints which way of writing files is faster on a disk of yours: NuGet's table (files and bytes in a given time, 1 B to 100 MB, stream and
# mmap, on the caller's thread and by two writers), measured with Transport.Files. Writes below DIR and removes it again; needs 4 GB there.
#   eng/choose-file-io.sh [DIR] [SECONDS a cell]
set -eu
case ${1:-} in
-*) sed -n '2,/^set/{s/^# //p}' "$0"; [ "$1" = -h ] || [ "$1" = --help ]; exit ;;
esac
cd "$(dirname "$0")/.."
dir=${1:-.}
mkdir -p "$dir"
DOTNET_TieredPGO=0 exec dotnet run -c Release --project perf/Transport.Loads -- file-table "$(realpath "$dir")" "${2:-2}"
