#!/usr/bin/env bash
# Makes all packages into artifacts/packages, or into the folder given. The bytes of a package depend on the commit alone.
# With --baseline VERSION before the folder each library must be compatible with its package of that version (ApiCompat), which NuGet finds
# in its sources. With --only NAME,NAME those alone are made.
set -euo pipefail
more=()
if [ "${1:-}" = --only ]; then
    more=("-p:Only=${2//,/+}")
    shift 2
fi
if [ "${1:-}" = --baseline ]; then
    more=("-p:PackageValidationBaselineVersion=$2")
    shift 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
out=$(mkdir -p "${1:-$root/artifacts/packages}" && cd "${1:-$root/artifacts/packages}" && pwd)
rm -f "$out"/*.nupkg "$out"/*.snupkg
echo "Compiling the libraries in Release and packing them into $out: two minutes on two cores, less if they are compiled already."
dotnet msbuild "$root/eng/packages.proj" -m -nologo -v:m -clp:NoSummary \
    -p:Configuration=Release -p:PackForMachines=true \
    -p:ContinuousIntegrationBuild=true "-p:PackageOutputPath=$out/" "${more[@]}"
ls "$out"
