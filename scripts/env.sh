# Sourced by the other scripts: go to the project's top folder and find its own tools first.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.tools/bin:$PWD/node_modules/.bin:$PATH"
export TRUNK_SKIP_VERSION_CHECK=true
# Trunk 0.21 takes NO_COLOR=1 for a wrong value and stops.
unset NO_COLOR

say() { printf '==> %s\n' "$*"; }
die() { printf '\nerror: %s\n' "$1" >&2; shift; for line in "$@"; do printf '       %s\n' "$line" >&2; done; exit 1; }
