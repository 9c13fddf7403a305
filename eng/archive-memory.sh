#!/bin/sh
# Extracts archives of as many entries, with as long names, as the default limits let through, and holds the most memory of it against 400
# MB: folders, hard links, symbolic links, empty files. Takes some minutes, and 1.6 GB of the temporary folder. usage: eng/archive-memory.sh
# [entries=1000000]
set -eu
cd "$(dirname "$0")/.."
TRANSPORT_ARCHIVE_ENTRIES="${1:-1000000}" exec dotnet test tests/Transport.Harness.Tests -nologo -v q --logger "console;verbosity=normal" \
    --filter "FullyQualifiedName~Extract.MemoryTests"
