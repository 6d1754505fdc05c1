#!/usr/bin/env bash
# Builds the page, serves it on this computer only, and rebuilds it whenever a source file changes.
# PORT=9000 takes another port; further arguments go to Trunk (--release, --open).
set -euo pipefail
. "$(dirname "$0")/env.sh"
scripts/setup.sh serve

port=${PORT:-8080}
# Asked now, since Trunk would find out only after the build.
if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    die "Port $port is in use." "Take another one: make serve PORT=$((port + 1))"
fi
say "logstep will be at http://127.0.0.1:$port/ as soon as the first build is done (about a minute); Ctrl+C stops it"
# Apart from dist/, which is for release builds only.
mkdir -p target
exec trunk serve --port "$port" --dist target/serve "$@"
