#!/usr/bin/env bash
# Cuts the power of a device under a journal that is written, and looks whether everything acknowledged before is there.
# usage: eng/journal-cuts.sh [cuts=50] [seed]        exit code 0: it is, each time; 1: it is not; 77: it cannot be done here, and why
#
# The device: a loop device over a file on a file system that is itself on a loop device. What the inner one has written and not flushed
# stands in the outer file system's page cache alone, as in a disk's own cache; the cut is a copy of the outer device's file, so it has what
# was flushed, and of the rest whatever happened to be there. The acknowledged number is read first, then the writer is stopped and the copy
# made. Policies take turns: always, group, everysec (what was acknowledged 2.5 s before the cut), and group again with what was acknowledged
# to the sender over a link whose packets the journal keeps. Each third cut is followed by one in the middle of the recovery, and the
# recovery after that has to find everything. To show that something is lost at all, policy no is cut first: it has to lose. Where the
# kernel has dm-flakey or dm-log-writes they would do the same without the outer file system; that is only reported.
set -u -o pipefail
cd "$(dirname "$0")/.."
cuts=${1:-50}
seed=${2:-$$}
RANDOM=$seed

cannot() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || cannot "needs root, to mount"
for tool in losetup mkfs.ext4 mount dotnet; do command -v $tool >/dev/null || cannot "needs $tool"; done
[ -e /dev/loop-control ] || cannot "the kernel has no loop devices (/dev/loop-control), so there is nothing to cut"
if [ -e /dev/mapper/control ] && command -v dmsetup >/dev/null; then
    echo "device mapper targets here: $(dmsetup targets 2>/dev/null | awk '{printf "%s ", $1}'); not needed"
else
    echo "no device mapper here (/dev/mapper/control), so no dm-flakey and no dm-log-writes: loop devices are cut instead"
fi

helper=tests/Transport.TestHost
dotnet build "$helper" -c Release -f net10.0 -v q -nologo >/dev/null || { echo "$helper does not build"; exit 1; }
helper=$helper/bin/Release/net10.0/Transport.TestHost.dll
export DOTNET_EnableDiagnostics=0 DOTNET_TieredPGO=0
work=$(mktemp -d)
writer=
clean() {
    [ -z "$writer" ] || { kill -9 "$writer" 2>/dev/null; wait "$writer" 2>/dev/null; }
    for at in again/inner again/outer cut/inner cut/outer live/inner live/outer; do mountpoint -q "$work/$at" && umount "$work/$at"; done
    rm -rf "$work"
}
trap clean EXIT
mkdir -p "$work"/{live,cut,again}/{inner,outer}

attach() { # FOLDER: mounts its device.img and the file system within; the journals of file systems that were cut are played back by that
    mount -o loop,commit=300 "$work/$1/device.img" "$work/$1/outer" && mount -o loop,commit=300 "$work/$1/outer/inner.img" "$work/$1/inner"
}

detach() { umount "$work/$1/inner" && umount "$work/$1/outer"; }

truncate -s 768M "$work/live/device.img"
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$work/live/device.img" &&
    mount -o loop "$work/live/device.img" "$work/live/outer" &&
    truncate -s 600M "$work/live/outer/inner.img" && mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$work/live/outer/inner.img" &&
    umount "$work/live/outer" && attach live || cannot "a file system on a loop device within one on a loop device cannot be mounted"

acknowledged() { wc -l <"$work/acknowledged"; }

write_and_cut() { # POLICY PACKETS SECONDS NAME [SEGMENT]: sets $reported; the copy is in cut/device.img
    rm -rf "$work"/live/inner/journal-*
    : >"$work/acknowledged"
    local how=(write "$work/live/inner/journal-$4" "$1" "${5:-65536}" 1)
    [ "$1" != Linked ] || how=(linked "$work/live/inner/journal-$4" "${5:-65536}")
    dotnet "$helper" journal "${how[@]}" >"$work/acknowledged" &
    writer=$!
    for ((wait = 0; wait < 3000; wait++)); do
        [ "$(acknowledged)" -lt "$2" ] || break
        sleep 0.02
    done
    reported=$(acknowledged)
    [ "$reported" -ge "$2" ] || { echo "the writer came to $reported packets in a minute"; exit 1; }
    sleep "$3"
    kill -STOP "$writer"
    cp --sparse=always "$work/live/device.img" "$work/cut/device.img"
    kill -9 "$writer"
    wait "$writer" 2>/dev/null
    writer=
}

check() { # FOLDER NAME: the helper's words are in $said
    attach "$1" || { said="the file system of the cut device cannot be mounted"; return 1; }
    said=$(dotnet "$helper" journal check "$work/$1/inner/journal-$2" "$reported" 2>&1)
    local code=$?
    detach "$1"
    return $code
}

cut_the_recovery() { # NAME: opens the journal on the cut device and cuts that one; the copy is in again/device.img
    attach cut || return 1
    dotnet "$helper" journal check "$work/cut/inner/journal-$1" "$reported" >/dev/null 2>&1 &
    writer=$!
    sleep "0.$((RANDOM % 25 + 8))"
    kill -STOP "$writer" 2>/dev/null
    cp --sparse=always "$work/cut/device.img" "$work/again/device.img"
    kill -9 "$writer" 2>/dev/null
    wait "$writer" 2>/dev/null
    writer=
    detach cut
}

echo "seed $seed"
write_and_cut None 2000 0 control 67108864   # a segment that is full is synced under every policy
check cut control && { echo "policy no lost nothing, so this device forgets nothing: the cuts below would show nothing"; exit 1; }
echo "control, policy no: $(echo "$said" | tail -n 1)"
failed=0
policies=(Always GroupCommit EverySecond Linked)
for ((i = 1; i <= cuts; i++)); do
    policy=${policies[i % 4]}
    pause=0
    [ $policy != EverySecond ] || pause=2.5
    write_and_cut $policy $((RANDOM % 2500 + 20)) $pause $i
    how="cut"
    cp --sparse=always "$work/cut/device.img" "$work/again/device.img"
    if [ $((i % 3)) = $((i / 3 % 3)) ]; then
        how="cut, and cut again in the recovery"
        cut_the_recovery $i || { echo "$i: the cut device cannot be mounted"; failed=$((failed + 1)); continue; }
    fi
    if check again $i; then
        echo "$i: $policy, $reported acknowledged, $how: valid"
    else
        failed=$((failed + 1))
        echo "$i: $policy, $reported acknowledged, $how: $said"
        mkdir -p journal-cuts-failed && cp --sparse=always "$work/cut/device.img" "journal-cuts-failed/$seed-$i.img"
    fi
done
echo "$cuts cuts, $failed of them lost something (seed $seed)"
[ $failed = 0 ]
