#!/usr/bin/env bash
# Makes all packages into artifacts/packages, or into the folder given. The bytes of a package depend on the commit alone.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=$(mkdir -p "${1:-$root/artifacts/packages}" && cd "${1:-$root/artifacts/packages}" && pwd)
rm -f "$out"/*.nupkg "$out"/*.snupkg
dotnet msbuild "$root/eng/packages.proj" -m -nologo -v:q -clp:NoSummary \
    -p:Configuration=Release -p:RunAnalyzers=false -p:ContinuousIntegrationBuild=true "-p:PackageOutputPath=$out/"
ls "$out"
