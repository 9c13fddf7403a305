#!/usr/bin/env bash
# Runs a command in a view of this machine that has the .NET SDK and none of the tools that some tests use: no mono, node, strace or
# C compiler, no msgpack for Python. With --no-python it lacks Python alone. The view is a mount namespace of its own, with an overlay over
# /usr: nothing changes outside of it. CI is unset in it, because a user's machine does not set it.
# Usage: eng/bare-view.sh [--no-python] COMMAND [ARGUMENT...]
set -eu -o pipefail

if [ "${TRANSPORT_BARE_VIEW:-}" != inside ]; then
    [ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0"; exit 2; }
    root=()
    [ "$(id -u)" = 0 ] || root=(--map-root-user)
    TRANSPORT_BARE_VIEW=inside exec unshare "${root[@]}" --mount "$0" "$@"
fi

tools=(mono 'mono-*' node nodejs npm npx strace gcc 'gcc-[0-9]*' cc c89 c99 clang 'clang-[0-9]*' tcc)
hidden=(mono node strace gcc cc)
folders=(lib/mono local/lib/mono 'lib/python3/dist-packages/*msgpack*' 'local/lib/python3*/dist-packages/*msgpack*')
if [ "$1" = --no-python ]; then
    tools=('python*')
    hidden=(python3)
    folders=()
    shift
fi

# The overlay: what is removed in it is hidden in the view alone.
layers=/mnt
mount -t tmpfs none "$layers"
mkdir "$layers/upper" "$layers/work" "$layers/usr"
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$layers/upper,workdir=$layers/work" "$layers/usr"
for folder in bin sbin local/bin; do
    for tool in "${tools[@]}"; do
        # The pattern is expanded here on purpose.
        # shellcheck disable=SC2086
        rm -f "$layers/usr/$folder"/$tool
    done
done
for folder in "${folders[@]}"; do
    # shellcheck disable=SC2086
    rm -rf "$layers/usr"/$folder
done
mount --bind "$layers/usr" /usr

# Only the system's folders and the one of dotnet: what was installed for this user alone is hidden too.
dotnet=$(command -v dotnet) || { echo "bare view: there is no dotnet on the PATH" >&2; exit 1; }
PATH="$(dirname "$dotnet"):/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
export PATH
hash -r
unset CI TRANSPORT_BARE_VIEW TRANSPORT_NODE_MODULES TRANSPORT_ARCHIVES
# Build servers that were started outside see the whole machine.
export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0
for tool in "${hidden[@]}"; do
    ! command -v "$tool" || { echo "bare view: $tool can still be found" >&2; exit 1; }
done
if [ ${#folders[@]} -gt 0 ] && command -v python3 >/dev/null && python3 -c 'import msgpack' 2>/dev/null; then
    echo "bare view: msgpack can still be imported" >&2
    exit 1
fi
exec "$@"
