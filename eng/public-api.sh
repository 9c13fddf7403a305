#!/usr/bin/env bash
# Writes what is public into src/*/PublicAPI: run it after a change that was meant, and read the difference. What both frameworks have is
# in PublicAPI.Unshipped.txt, the rest in a folder of the framework. An argument names one library; a release moves lines to Shipped.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
libraries() {
    local folder
    for folder in src/*/; do
        case $folder in src/Transport.Generator/ | src/Transport.CodeFixes/ | src/Transport.Tool/) ;; *) basename "$folder" ;; esac
    done
}
for name in ${1:-$(libraries)}; do
    rm -rf "src/$name/PublicAPI"
    mkdir -p "src/$name/PublicAPI"
    echo '#nullable enable' | tee "src/$name/PublicAPI/PublicAPI.Shipped.txt" >"src/$name/PublicAPI/PublicAPI.Unshipped.txt"
done
for name in ${1:-$(libraries)}; do
    folder=src/$name/PublicAPI
    frameworks=(net10.0 netstandard2.0)
    grep -q 'TargetFrameworks\?>net10.0</' "src/$name/$name.csproj" && frameworks=(net10.0)
    for framework in "${frameworks[@]}"; do
        dotnet build "src/$name" -c Release -f "$framework" -v q -clp:NoSummary -p:TransportPublicApi=write --no-incremental \
            >"$work/log" || { grep error "$work/log" | sort -u | head; exit 1; }
        sed -n "s/.*warning RS0016: Symbol '\(.*\)' is not part of the declared public API.*src.$name.$name.csproj.*/\1/p" "$work/log" |
            sort -u >"$work/$framework"
    done
    [ ${#frameworks[@]} = 2 ] || cp "$work/net10.0" "$work/netstandard2.0"
    comm -12 "$work/net10.0" "$work/netstandard2.0" >>"$folder/PublicAPI.Unshipped.txt"
    comm -23 "$work/net10.0" "$work/netstandard2.0" >"$work/only-net10.0"
    comm -13 "$work/net10.0" "$work/netstandard2.0" >"$work/only-netstandard2.0"
    for framework in "${frameworks[@]}"; do
        if [ -s "$work/only-$framework" ]; then
            mkdir -p "$folder/$framework"
            { echo '#nullable enable'; cat "$work/only-$framework"; } >"$folder/$framework/PublicAPI.Unshipped.txt"
        fi
    done
    echo "$name: $(($(wc -l <"$folder/PublicAPI.Unshipped.txt") - 1)) members"
done
