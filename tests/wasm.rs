//! Tests that run as WebAssembly: `cargo test --target wasm32-unknown-unknown --test wasm`.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

/// Links the library into a WebAssembly module and runs it, which is more than compiling proves.
#[wasm_bindgen_test]
fn library_runs_as_webassembly() {
    use logstep as _;
    assert_eq!(size_of::<usize>(), 4);
}
