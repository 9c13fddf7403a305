#!/usr/bin/env bash
# A nats-server with JetStream for trying the farm: on loopback, with its own port, data and configuration under artifacts/nats, or in the
# folder given. Never touches a server of the machine's own.
#   eng/nats.sh start [FOLDER]   starts it and waits until it answers; the last line is its URL. Its data is kept from the last time
#   eng/nats.sh stop [FOLDER]    asks it to end, and waits
#   eng/nats.sh kill [FOLDER]    kills it (SIGKILL)
# Needs the program nats-server: apt-get install nats-server.
set -euo pipefail
[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$(mkdir -p "${2:-$(dirname "$0")/../artifacts/nats}" && cd "${2:-$(dirname "$0")/../artifacts/nats}" && pwd)
PATH=$PATH:/usr/sbin

end() { # SIGNAL
    local pid
    pid=$(cat "$folder/pid" 2>/dev/null) || { echo "No server was started in $folder."; return 0; }
    # Only what was started here: another process may have the number by now.
    if grep -qs "$folder/nats.conf" "/proc/$pid/cmdline"; then
        kill "-$1" "$pid"
        while [ -e "/proc/$pid" ] && ! grep -qs '^State:.*Z' "/proc/$pid/status"; do sleep 0.05; done
    fi
    rm -f "$folder/pid"
}

case $1 in
    start)
        command -v nats-server >/dev/null || { echo "There is no nats-server here: apt-get install nats-server."; exit 1; }
        if [ -e "$folder/pid" ] && grep -qs "$folder/nats.conf" "/proc/$(cat "$folder/pid")/cmdline"; then
            echo "It runs already:"
        else
            free='import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
            port=$(python3 -c "$free" 2>/dev/null || echo 14222)
            printf 'listen: "127.0.0.1:%s"\njetstream { store_dir: "%s" }\n' "$port" "$folder/data" >"$folder/nats.conf"
            rm -f "$folder/log"
            nats-server -c "$folder/nats.conf" -l "$folder/log" >/dev/null 2>&1 &
            echo $! >"$folder/pid"
            for _ in $(seq 100); do
                grep -qs 'Server is ready' "$folder/log" && break
                sleep 0.1
            done
            grep -qs 'Server is ready' "$folder/log" || { tail -n 5 "$folder/log"; exit 1; }
        fi
        sed -n 's/^listen: "\(.*\)"/nats:\/\/\1/p' "$folder/nats.conf"
        ;;
    stop) end TERM ;;
    kill) end KILL ;;
    *) echo "eng/nats.sh $1: expected start, stop or kill."; exit 2 ;;
esac
