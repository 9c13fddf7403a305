#!/usr/bin/env bash
# Fuzzes for a while: eng/fuzz.sh MINUTES [--target NAME] [--seed N]. What fails is kept in fuzz-crashes/, each file with the line that runs
# it again.
#
# Which inputs are changed further is chosen by what they made happen that was new: fault and sentence, shape of the value, packets
# delivered (tests/Transport.Fuzz/Running/Corpus.cs). That is no edge coverage. SharpFuzz, which instruments assemblies for AFL and
# libFuzzer, was tried and does not restore from the package registry that this repository is built from; where it does, a target is one
# call: FuzzTarget.Run(bytes).
#
# On Mono, which has another UTF-8 decoder, sockets and collector: FUZZ_MONO=1 eng/fuzz.sh MINUTES (without the sample's packets and without
# the bound on allocation).
set -eu
cd "$(dirname "$0")/.."
minutes=${1:?usage: eng/fuzz.sh MINUTES [--target NAME] [--seed N]}
shift
framework=net10.0
[ -z "${FUZZ_MONO:-}" ] || framework=net472
dotnet build -c Release -v q -nologo tests/Transport.Fuzz/Transport.Fuzz.csproj -f $framework
if [ $framework = net472 ]; then
    exec mono tests/Transport.Fuzz/bin/Release/net472/Transport.Fuzz.exe --minutes "$minutes" "$@"
fi
exec dotnet tests/Transport.Fuzz/bin/Release/net10.0/Transport.Fuzz.dll --minutes "$minutes" "$@"
