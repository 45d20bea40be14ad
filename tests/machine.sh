# sh tests/machine.sh VENV: install what the tests use beside Python packages, each where it is missing.
#
# A sandbox, network namespaces, a database and a browser come with apt-get (as root on Debian), axe-core and TypeScript
# with npm.
# Where that fails, this shows why; tests that need them are skipped.  The next run tries again, but not within ten
# minutes, because waiting for a network that is not there takes long: delete VENV/*.log to try now.

VENV=$1
AXE=4.14.0
TYPESCRIPT=5.9.3

need() {  # PACKAGES, how to find out that they are there, what is tested without them
    if ! (eval "$2") >/dev/null 2>&1; then
        missing="$missing $1"
        without="$without
  without ${1%% *}, $3"
    fi
}

look() {
    missing='' without=''
    need bubblewrap 'command -v bwrap' 'programs are tested with limits alone'
    need iproute2 'command -v ip' 'no worker is cut off from its cluster'
    need postgresql 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb' 'the store is tested on SQLite alone'
    need 'chromium fonts-dejavu-core' 'command -v chromium' 'no page is opened in a browser'
}

attempt() {  # LOG, what it is for, a function: run it unless it failed just now, and show why it failed
    if [ -z "$(find "$1" -mmin -10 2>/dev/null)" ]; then
        echo "Installing $2 for the tests ..."
        if "$3" >"$1" 2>&1; then rm -f "$1"; return; fi
    fi
    echo "$2 could not be installed (all of it: $1):"
    (grep -m 5 -E '^(E|W): |^npm error (code|FetchError)' "$1" || tail -n 4 "$1") | sed 's/^/  /'
}

by_apt() {
    quickly='-o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10'
    apt-get $quickly -qq update
    DEBIAN_FRONTEND=noninteractive apt-get $quickly -qq install --no-install-recommends $missing
}

unpack() {  # PACKAGE, VERSION, FOLDER, WHAT: part of a package of npm
    mkdir -p "$VENV/$3" &&
        npm pack --fetch-retries=0 --loglevel=error --pack-destination "$VENV/$3" "$1@$2" &&
        tar -xzf "$VENV/$3/$1-$2.tgz" -C "$VENV/$3" $4 &&
        rm "$VENV/$3/$1-$2.tgz"
}

axe_by_npm() { unpack axe-core "$AXE" axe package/axe.min.js; }

typescript_by_npm() { unpack typescript "$TYPESCRIPT" typescript 'package/bin package/lib package/package.json'; }

look
if [ -n "$missing" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    attempt "$VENV/apt.log" "${missing# }" by_apt
    look
fi
[ -z "$missing" ] || echo "Missing on this machine:$missing$without"
[ -e "$VENV/axe/package/axe.min.js" ] || attempt "$VENV/npm.log" 'axe-core (names and contrast of pages)' axe_by_npm
[ -e "$VENV/typescript/package/bin/tsc" ] || attempt "$VENV/tsc.log" 'typescript (types of scripts)' typescript_by_npm
exit 0
