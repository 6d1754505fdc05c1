#!/usr/bin/env bash
# Measures the budgets: natively, then the same work in WebAssembly, built and optimised as the page is, then the page itself
# in a browser.
# Nothing else should be running; arguments go to the native benchmark.
set -euo pipefail
. "$(dirname "$0")/env.sh"
scripts/setup.sh test # for the browser

target=${CARGO_TARGET_DIR:-target}
export LOGSTEP_BENCH_RATE=$PWD/$target/native-rate
[[ $target = /* ]] && LOGSTEP_BENCH_RATE=$target/native-rate
cargo bench --locked --bench engine "$@"

# What Trunk gives to wasm-opt for the page.
page=$(grep 'data-bin="logstep-page"' index.html)
level=$(sed -n 's/.*data-wasm-opt="\([^"]*\)".*/\1/p' <<<"$page")
params=$(sed -n 's/.*data-wasm-opt-params="\([^"]*\)".*/\1/p' <<<"$page")
cargo build --quiet --locked --release --target wasm32-unknown-unknown --example engine-in-wasm
module=$target/wasm32-unknown-unknown/release/examples/engine_in_wasm
[ -e "$module.wasm" ] || module=${module//_in_/-in-}
# shellcheck disable=SC2086 # several words
wasm-opt "-O$level" $params "$module.wasm" -o "$module.opt.wasm"
node scripts/bench.mjs "$module.opt.wasm" "$(cat "$LOGSTEP_BENCH_RATE")"
node scripts/frame-bench.mjs
