#!/bin/sh
# Installs those of the named Debian packages that are missing. Without apt it says what to install.
missing=
for p in "$@"; do
    dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null; then
    echo "these packages (Debian names) may be missing:$missing" >&2
    exit 0
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "installing:$missing" >&2
log=$(mktemp)
if ! { $as_root apt-get update && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "could not install:$missing" >&2
    exit 1
fi
rm -f "$log"
