#!/usr/bin/env bash
# Every check and test, cheapest first; stops at the first that fails.
set -euo pipefail
. "$(dirname "$0")/env.sh"
scripts/setup.sh test

stage() { printf '\n===== %s (%s s so far)\n' "$1" "$SECONDS"; }

stage "Formatting"
cargo fmt --all --check

stage "Lints: simulator and tools"
cargo clippy --locked --workspace --all-targets -- -D warnings

stage "Lints: page"
# Tests that only run natively are left out: what they depend on does not exist in WebAssembly.
cargo clippy --locked --target wasm32-unknown-unknown --features page,modules --lib --bin logstep-page --bin logstep-reader --bin logstep-exporter --test wasm -- -D warnings

# Without the feature `page`: the proof that the simulator needs no browser.
stage "Native tests"
cargo test --locked --workspace --no-default-features

stage "WebAssembly tests"
cargo test --locked --target wasm32-unknown-unknown --test wasm

stage "Release build"
node scripts/dist.mjs

stage "Size"
node scripts/size.mjs

stage "Browser tests"
# One file after the other: each starts a browser of its own.
node --test --test-concurrency=1 --test-reporter=spec tests/browser/*.test.mjs

printf '\n===== All stages passed in %s s\n' "$SECONDS"
