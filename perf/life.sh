#!/usr/bin/env bash
# The life of a worker, its memory, its first million events and its size: for the JIT, ReadyToRun and Native AOT, each beside a bare
# socket program of the same kind. Takes about four minutes; needs gcc or clang. An argument is the number of rounds (15).
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
linker=()
command -v clang >/dev/null || linker=(-p:CppCompilerAndLinker=gcc)
for way in jit ready native; do
    runtime=(--use-current-runtime)
    [ $way != jit ] || runtime=()
    for program in life:Transport.Life bare:Transport.Life.Bare; do
        folder=$work/$way
        [ "${program%%:*}" = life ] || folder=$work/$way-bare
        dotnet publish "perf/${program#*:}" -f net10.0 -c Release -p:Life=$way "${runtime[@]}" "${linker[@]}" -o "$folder" \
            >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    done
done
"$work/jit/life" measure "$work" "${1:-15}"
