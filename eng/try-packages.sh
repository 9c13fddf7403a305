#!/usr/bin/env bash
# Uses the packages as somebody does who has nothing else: an empty folder, an empty package cache, a home of its own, and the packages'
# folder beside the registry. Template, build, run, test; both tools; consumers for .NET, netstandard2.0 and Mono.
# Usage: eng/try-packages.sh [FOLDER OF PACKAGES]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
packages=$(cd "${1:-$root/artifacts/packages}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOTNET_CLI_HOME=$work/home NUGET_PACKAGES=$work/cache DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1 \
    DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1 MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 UseSharedCompilation=false
mkdir -p "$work/home/.nuget/NuGet" "$work/empty"
# The sources of this machine's user, and the folder.
cp "$HOME/.nuget/NuGet/NuGet.Config" "$work/home/.nuget/NuGet/NuGet.Config" 2>/dev/null || true
cd "$work/empty"
dotnet new nugetconfig >/dev/null
dotnet nuget add source "$packages" --name transport --configfile nuget.config >/dev/null
sed -i '/<clear \/>/d; /api.nuget.org/d' nuget.config # the registry is the user's own source

step() { printf -- '-- %s (%d s)\n' "$1" "$SECONDS"; }
expect() { # TEXT FILE
    grep -qF -- "$1" "$2" || { echo "expected \"$1\" in:"; cat "$2"; exit 1; }
}

step "the README: its install commands, then its first program from packages"
mapfile -t commands < <(sed -n '/^## Install/,/^## /s/^    \(dotnet .*\)/\1/p' "$root/README.md")
[ ${#commands[@]} -ge 4 ] || { echo "README.md must list the install commands, it lists ${#commands[@]}."; exit 1; }
mkdir Readme
for command in "${commands[@]}"; do # as printed, in a folder of their own
    (cd Readme && bash -c "$command") >"$work/command.log" 2>&1 || { echo "$command"; cat "$work/command.log"; exit 1; }
    cat "$work/command.log" >>"$work/readme.log"
done
expect "n1: File3.cs in 120 ms" "$work/readme.log"
expect "Compiling File1.cs" "$work/readme.log"
expect "Passed!" "$work/readme.log"
mkdir Shown && cd Shown
sed -n '/^```csharp/,/^```/p;/^```$/q' "$root/README.md" | sed '/^```/d' >both.cs
{ dotnet new console -o Main && dotnet new console -o Worker && dotnet add Worker package Transport &&
    dotnet add Worker package Transport.Logging && dotnet add Main reference Worker; } >"$work/shown.log" 2>&1 ||
    { cat "$work/shown.log"; exit 1; }
sed '/^\/\/ Worker\/Program.cs/,$d' both.cs >Main/Program.cs
sed -n '/^\/\/ Worker\/Program.cs/,$p' both.cs >Worker/Program.cs
dotnet run --project Main >"$work/shown.log" 2>&1 || { cat "$work/shown.log"; exit 1; }
expect "n1 Information Compiler: Compiled File1.cs in 40 ms" "$work/shown.log"
expect " clean after " "$work/shown.log"
cd ..

native_worker() { # as docs/guide/native.md says it: a main node on the JIT publishes its native worker
    local linker=()
    command -v clang >/dev/null || linker=(-p:CppCompilerAndLinker=gcc)
    cp -r Shown Native
    sed -i 's#<PropertyGroup>#<PropertyGroup><PublishAot>true</PublishAot>#' Native/Worker/Worker.csproj
    sed -i 's#Worker.csproj" */>#Worker.csproj" TransportWorker="true" ReferenceOutputAssembly="false" /><PackageReference Include="Transport.Logging" Version="0.1.0" />#;
        s#</ItemGroup>#<PackageReference Include="Transport" Version="0.1.0" /></ItemGroup>#' Native/Main/Main.csproj
    sed -i 's#new WorkerStartOptions(AppContext.BaseDirectory + "Worker")#WorkerStartOptions.ForProject("Worker")#' Native/Main/Program.cs
    (cd Native && dotnet publish Main -c Release -o out "${linker[@]}") >"$work/native.log" 2>&1 || { cat "$work/native.log"; return 1; }
    file -L Native/out/workers/Worker/Worker 2>/dev/null | grep -q ELF || [ ! -e Native/out/workers/Worker/Worker.dll ] || return 1
    Native/out/Main >"$work/native.log" 2>&1 || { cat "$work/native.log"; return 1; }
    expect "n1 Information Compiler: Compiled File1.cs in 40 ms" "$work/native.log"
    expect " clean after " "$work/native.log"
}
if [ "${TRANSPORT_NIGHTLY:-}" = 1 ]; then
    step "a main node publishes its native worker"
    native_worker
fi

step "two generic hosts from the template"
dotnet new transport-host -o Hosts >"$work/host.log" 2>&1 || { cat "$work/host.log"; exit 1; }
dotnet publish Hosts/Main -c Debug -o Hosts/out >"$work/host.log" 2>&1 || { cat "$work/host.log"; exit 1; }
for main in Hosts/out/Main Hosts/Main/bin/Debug/net10.0/Main; do # published, and as `dotnet run` starts it: a folder for the worker in each
    (cd / && "$work/empty/$main") >"$work/host.log" 2>&1 || { cat "$work/host.log"; exit 1; }
    expect "Compiling File3.cs" "$work/host.log"
    expect "n1: Compiled { Path = File3.cs, Milliseconds = 120 }" "$work/host.log"
    expect "exited: clean" "$work/host.log"
done

step "the generator and the analyzers come along, beside pinned Microsoft.Extensions"
mkdir Alone
cat >Alone/Alone.csproj <<'EOF'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>
    <LangVersion>latest</LangVersion>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Transport.Hosting" Version="0.1.0" />
    <!-- The first patch of the band, pinned: no downgrade (NU1605). -->
    <PackageReference Include="Microsoft.Extensions.Logging" Version="10.0.0" />
  </ItemGroup>
</Project>
EOF
cat >Alone/Ping.cs <<'EOF'
using Transport;

[Packet(1024)]
public sealed partial class Ping
{
    public int Number { get; set; }

    public static void SendTo(IPacketSender sender) => sender.TrySend(new Ping { Number = 1 });
}
EOF
dotnet build Alone >"$work/alone.log" 2>&1 || { cat "$work/alone.log"; exit 1; }
expect "warning TRANSPORT030" "$work/alone.log"

if command -v mono >/dev/null; then
    step "a program on Mono"
    mkdir OnMono
    cat >OnMono/OnMono.csproj <<'EOF'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net472</TargetFramework>
    <LangVersion>latest</LangVersion>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Transport" Version="0.1.0" />
    <PackageReference Include="Microsoft.NETFramework.ReferenceAssemblies" Version="1.0.3" PrivateAssets="all" />
  </ItemGroup>
</Project>
EOF
    sed -n '/^Two processes/,/^And a child/p' "$root/src/Transport/README.md" | sed -n '/^```csharp/,/^```/p' | sed '1d;$d' >OnMono/Program.cs
    cat >>OnMono/Program.cs <<'EOF'

namespace System.Runtime.CompilerServices
{
    internal static class IsExternalInit
    {
    }
}
EOF
    dotnet build OnMono -o OnMono/out >"$work/mono.log" 2>&1 || { cat "$work/mono.log"; exit 1; }
    timeout 60 mono OnMono/out/OnMono.exe >"$work/mono-run.log" 2>&1 || { cat "$work/mono-run.log"; exit 1; }
    expect "bin/Tool.dll" "$work/mono-run.log"
else
    echo "mono is not here: no consumer on Mono was tried."
fi

step "a package of another version beside ours is refused by name"
mkdir Mixed
python3 - "$packages/Transport.0.1.0.nupkg" Mixed/Transport.0.2.0.nupkg <<'EOF'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
    for name in old.namelist():
        new.writestr(name, old.read(name).replace(b"<version>0.1.0<", b"<version>0.2.0<") if name.endswith(".nuspec") else old.read(name))
EOF
other='<PackageReference Include="Transport" Version="0.2.0" />'
sed "s#  </ItemGroup>#$other</ItemGroup>#" Alone/Alone.csproj >Mixed/Mixed.csproj
dotnet nuget add source "$work/empty/Mixed" --name mixed --configfile nuget.config >/dev/null
dotnet restore Mixed >"$work/mixed.log" 2>&1 || { cat "$work/mixed.log"; exit 1; }
expect "warning NU1608" "$work/mixed.log" # NuGet takes it nevertheless
! dotnet build Mixed -f net10.0 >"$work/mixed.log" 2>&1 || { echo "a build with two versions must fail"; cat "$work/mixed.log"; exit 1; }
expect "error TRANSPORT200" "$work/mixed.log"
expect "got Transport 0.2.0 and " "$work/mixed.log"

step "a package that is part of another now is refused by name"
mkdir Former
python3 - "$packages/Transport.Logging.0.1.0.nupkg" Mixed/Transport.Workers.0.1.0.nupkg <<'EOF'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as old, zipfile.ZipFile(sys.argv[2], "w") as new:
    for name in old.namelist():
        new.writestr(name.replace("Transport.Logging.nuspec", "Transport.Workers.nuspec"),
            old.read(name).replace(b"<id>Transport.Logging<", b"<id>Transport.Workers<") if name.endswith(".nuspec") else old.read(name))
EOF
former='<PackageReference Include="Transport.Workers" Version="0.1.0" />'
sed "s#  </ItemGroup>#$former</ItemGroup>#" Alone/Alone.csproj >Former/Former.csproj
! dotnet build Former -f net10.0 >"$work/former.log" 2>&1 || { echo "a build with a former package must fail"; cat "$work/former.log"; exit 1; }
expect "error TRANSPORT201" "$work/former.log"
expect "got Transport.Workers, now part of Transport" "$work/former.log"

step "tools"
dotnet tool install Transport.Tool --version 0.1.0 --tool-path "$work/tools" >"$work/tool.log" 2>&1 || { cat "$work/tool.log"; exit 1; }
dotnet tool install Transport.BuildHarness --version 0.1.0 --tool-path "$work/tools" >"$work/tool.log" 2>&1 ||
    { cat "$work/tool.log"; exit 1; }
"$work/tools/transport" --help >"$work/help.log"
expect "journal" "$work/help.log"
cp -r "$root/samples/Example" Example
find Example -name bin -o -name obj -type d | xargs rm -rf
"$work/tools/buildharness" build Example/Example.slnx >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
expect "succeeded" "$work/build.log"
step "any build, collected; then by the logger's package and one line of Directory.Build.rsp"
mkdir Any && cat >Any/Any.csproj <<'EOF'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <TransportLoggerFolder>$(MSBuildThisFileDirectory).transport/</TransportLoggerFolder>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Transport.MSBuild.Logger" Version="0.1.0" />
  </ItemGroup>
</Project>
EOF
export TRANSPORT_DIR=$work/run
"$work/tools/transport" collect --journal "$work/any.journal" -- dotnet build Any >"$work/any.log" 2>&1 || { cat "$work/any.log"; exit 1; }
expect " events in $work/any.journal" "$work/any.log"
"$work/tools/transport" export "$work/any.journal" --html "$work/any.html" --binlog "$work/any.binlog" 2>"$work/any.log" ||
    { cat "$work/any.log"; exit 1; }
expect "any.html: " "$work/any.log"
dotnet msbuild "$work/any.binlog" -nologo -v:q >"$work/any.log" 2>&1 || { cat "$work/any.log"; exit 1; }
echo '-logger:TransportLogger,%MSBuildThisFileDirectory%.transport/Transport.MSBuild.Logger.dll' >Any/Directory.Build.rsp
"$work/tools/transport" collect --journal "$work/other.journal" >"$work/other.log" 2>&1 &
collector=$!
timeout 20 bash -c "until grep -q waiting $work/other.log; do sleep 0.1; done"
(cd Any && dotnet build -nologo -v:q) >"$work/any.log" 2>&1 || { cat "$work/any.log"; exit 1; }
kill -TERM "$collector" && wait "$collector" || { cat "$work/other.log"; exit 1; }
expect " events in $work/other.journal" "$work/other.log"
unset TRANSPORT_DIR
step "done"
