#!/usr/bin/env bash
# Prints which way of writing files is faster on a disk of yours: NuGet's table (files and bytes in a given time, 1 B to 100 MB, stream and
# mmap, on the caller's thread and by two writers), measured with Transport.Files, beside FileStream.WriteAsync and
# File.WriteAllBytesAsync; on .NET, then on Mono if it is here. Writes below DIR and removes it again; needs 8 GB there.
#   eng/choose-file-io.sh [DIR] [SECONDS a cell]
set -eu
case ${1:-} in
-*) sed -n '2,/^set/{s/^# //p}' "$0"; [ "$1" = -h ] || [ "$1" = --help ]; exit ;;
esac
cd "$(dirname "$0")/.."
dir=${1:-.}
mkdir -p "$dir"
DOTNET_TieredPGO=0 dotnet run -c Release --project perf/Transport.Loads -- file-table "$(realpath "$dir")" "${2:-2}"
mono=perf/Transport.Loads.Workers/bin/Release/net472/loads-on-mono.exe
if command -v mono >/dev/null; then mono "$mono" file-table "$(realpath "$dir")" "${2:-2}"; else echo "no mono here"; fi
echo "TRANSPORT_FILE_IO=stream|mmap forces one of them; without it the default is that of the platform."
