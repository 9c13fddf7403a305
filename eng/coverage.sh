#!/usr/bin/env bash
# Line and branch coverage of src/Transport by the tests on .NET (docs/reference/coverage.md): eng/coverage.sh [FOLDER]. Leaves
# FOLDER/coverage.json (merged) and prints a table by layer; "eng/coverage.py FOLDER/coverage.json --missed" lists what no test ran.
# About 10 minutes. Processes that tests start are not measured: what a worker does counts where a test does it too.
set -eu -o pipefail
cd "$(dirname "$0")/.."
folder=$(mkdir -p "${1:-/tmp/transport-coverage}" && cd "${1:-/tmp/transport-coverage}" && pwd)
version=6.0.4
cat >"$folder/collector.proj" <<PROJECT
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><RestorePackagesPath>$folder/packages</RestorePackagesPath></PropertyGroup>
  <ItemGroup><PackageDownload Include="coverlet.collector" Version="[$version]" /></ItemGroup>
</Project>
PROJECT
dotnet restore "$folder/collector.proj" -v q
adapter="$folder/packages/coverlet.collector/$version/build/netstandard2.0"
failed=
for project in ${TRANSPORT_COVERAGE:-Transport.Tests Transport.Conformance Transport.Processes.Tests Transport.Generator.Tests}; do
    rm -rf "${folder:?}/$project"
    dotnet build "tests/$project" -f net10.0 -nologo -v q
    bin=tests/$project/bin/Debug/net10.0

    # The instrumenter looks beside the assembly for what it refers to; this one stands by platform. It adds a static field that changes:
    # the test that there is none must not see it.
    cp "$bin/runtimes/linux-x64/lib/netstandard2.0/Mono.Posix.NETStandard.dll" "$bin"
    dotnet test "tests/$project" -f net10.0 -nologo --no-build --filter "FullyQualifiedName!~StaticsTests" \
        --test-adapter-path "$adapter" --collect "XPlat Code Coverage" --results-directory "$folder/$project" -- \
        DataCollectionRunSettings.DataCollectors.DataCollector.Configuration.Format=json \
        DataCollectionRunSettings.DataCollectors.DataCollector.Configuration.Include="[Transport]*" \
        DataCollectionRunSettings.DataCollectors.DataCollector.Configuration.ExcludeByFile="**/obj/**" \
        DataCollectionRunSettings.DataCollectors.DataCollector.Configuration.ExcludeAssembliesWithoutSources=None ||
        failed="$failed $project"
    rm -f "$bin/Mono.Posix.NETStandard.dll"
done
python3 eng/coverage.py --merge "$folder/coverage.json" "$folder"/*/*/coverage.json
[ -z "$failed" ] || { echo "tests failed in$failed: these figures are too low"; exit 1; }
