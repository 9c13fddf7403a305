#!/usr/bin/env bash
# Publishes tests/Transport.NativeTrial with Native AOT, trimmed and self-contained, and for the JIT; no publish may warn. Then every main
# node starts every worker, which ends by itself or is killed; the exit report must be right. At night the two hosts of samples/Hosted too.
# Needs gcc or clang. Usage: eng/try-native.sh [native] [trimmed] [jit], all three by default.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang >/dev/null || command -v gcc >/dev/null ||
    { echo "Neither clang nor gcc is here, and one of them links native programs: install one (Debian: gcc libc6-dev)."; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
linker=()
command -v clang >/dev/null || linker=(-p:CppCompilerAndLinker=gcc)
ways=("$@")
[ $# -gt 0 ] || ways=(native trimmed jit)
for way in "${ways[@]}"; do
    runtime=(--use-current-runtime)
    [ $way != jit ] || runtime=()
    dotnet publish tests/Transport.NativeTrial -f net10.0 -c Release -p:Trial=$way "${runtime[@]}" "${linker[@]}" -o "$work/$way" \
        >"$work/$way.log" 2>&1 || { cat "$work/$way.log"; exit 1; }
    if grep -E ': warning ' "$work/$way.log"; then
        exit 1
    fi
    printf '%-8s %s\n' "$way" "$(du -sb --exclude='*.dbg' --exclude='*.pdb' --exclude='*.xml' "$work/$way" | cut -f1) bytes"
done
for main in "${ways[@]}"; do
    for worker in "${ways[@]}"; do
        for end in end kill; do
            printf '%-8s main, %-8s worker, %-5s' $main $worker $end
            timeout 60 "$work/$main/trial" main "$work/$worker/trial" $end
        done
    done
done

[ "${TRANSPORT_NIGHTLY:-}" = 1 ] || exit 0
for host in Worker Main; do
    dotnet publish samples/Hosted/$host -f net10.0 -c Release --use-current-runtime -p:Native=true "${linker[@]}" -o "$work/hosts" \
        >"$work/$host.log" 2>&1 || { cat "$work/$host.log"; exit 1; }
    if grep -E ': warning ' "$work/$host.log"; then
        exit 1
    fi
done
timeout 60 "$work/hosts/HostedMain" >"$work/hosts.log"
grep -F "n1 has compiled a.cs" "$work/hosts.log"
