#!/usr/bin/env bash
# Random worlds with a seed of their own each time; `make test` always takes the same ones. What fails here is printed with
# its seed and, made small, as a world: it becomes a plain test.
set -euo pipefail
. "$(dirname "$0")/env.sh"

export PROPTEST_RNG_SEED="${SEED:-$(date +%s)}" PROPTEST_CASES="${CASES:-2560}"
echo "SEED=$PROPTEST_RNG_SEED CASES=$PROPTEST_CASES"
cargo test --locked --workspace --no-default-features "${@:---tests}"
