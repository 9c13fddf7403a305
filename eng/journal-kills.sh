#!/bin/sh
# Kills the harness again and again while it keeps a journal, and looks whether everything that it acknowledged is there:
# in order, without doubles, also after the openings that repair it. usage: eng/journal-kills.sh [kills=20]
set -eu
cd "$(dirname "$0")/.."
TRANSPORT_KILLS="${1:-20}" exec dotnet test tests/Transport.Harness.Tests -nologo -v q --logger "console;verbosity=normal" \
    --filter "FullyQualifiedName~Journal.KillTests"
