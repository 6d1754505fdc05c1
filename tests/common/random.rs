//! Where random tests take their worlds from.
//!
//! The seed is fixed, so that one commit always gives the same answer, here and on every other machine. `make explore`
//! runs the same tests with another seed and more cases; a failure prints both, for
//! `PROPTEST_RNG_SEED=… PROPTEST_CASES=… cargo test …`.

use proptest::test_runner::{Config, RngSeed};

/// The seed of `make test`.
const SEED: u64 = 20_260_101;

/// So many eighths of proptest's own number of cases, 256 if nothing else is asked for, on other worlds than those of
/// other places.
pub fn cases(place: &str, eighths: u32) -> Config {
    let config = Config::default();
    let all = config.cases;
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => SEED,
    };
    // The test harness shows this of tests that fail.
    eprintln!("random worlds: PROPTEST_RNG_SEED={seed} PROPTEST_CASES={all}");
    let rng_seed = RngSeed::Fixed(seed ^ hash(place));
    Config { cases: (all * eighths).div_ceil(8), rng_seed, failure_persistence: None, ..config }
}

/// FNV-1a: unlike the standard library's, it stays as it is.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
