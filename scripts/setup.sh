#!/usr/bin/env bash
# Installs what is missing for the named purposes, and nothing that is there in the right version:
#   scripts/setup.sh serve   to build and serve the page
#   scripts/setup.sh dist    also to make the release build small
#   scripts/setup.sh test    also to run every test
# Programs go to .tools/ and node_modules/ in this folder. Only the browser (where there is none)
# and additions to the Rust toolchain are installed outside of it.
set -euo pipefail
. "$(dirname "$0")/env.sh"

TRUNK_VERSION=0.21.14 # 0.22 needs a newer Rust than Cargo.toml asks for
NODE_MAJOR=20

# The command line tool and the crate must be of one and the same version.
BINDGEN_VERSION=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/[^0-9.]/, ""); print }' Cargo.lock)

need_rust() {
    command -v cargo >/dev/null || die "cargo is not on PATH." \
        "Install Rust with rustup (https://rustup.rs), open a new shell, and run the same command again."
}

need_node() {
    command -v node >/dev/null && command -v npm >/dev/null || die "node or npm is not on PATH." \
        "Install Node.js $NODE_MAJOR or newer (https://nodejs.org) and run the same command again."
    local have
    have=$(node -p 'process.versions.node')
    [ "${have%%.*}" -ge "$NODE_MAJOR" ] || die "Node.js is $have, but $NODE_MAJOR or newer is needed."
}

rust_component() { # what rustup calls it, the command that shows that it is there
    $2 >/dev/null 2>&1 && return
    command -v rustup >/dev/null || die "$1 is missing, and there is no rustup to add it." \
        "Install the package of your distribution that holds it, or Rust with rustup."
    say "Adding $1 to the Rust toolchain (seconds)"
    rustup component add "$1"
}

wasm_target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] && return
    command -v rustup >/dev/null || die "Rust's target wasm32-unknown-unknown is missing, and there is no rustup to add it." \
        "Install your distribution's package for it (Debian: libstd-rust-dev-wasm32), or Rust with rustup."
    say "Adding the target wasm32-unknown-unknown to the Rust toolchain (seconds, 25 MB)"
    rustup target add wasm32-unknown-unknown
}

cargo_tool() { # crate, version, its program, minutes on two cores
    local have
    have=$("$3" --version 2>/dev/null | awk '{ print $2 }') || true
    [ "$have" = "$2" ] && return
    [ -z "$have" ] || say "$3 $have is installed, but this project needs exactly $2; adding that one to .tools/"
    if cargo binstall -V >/dev/null 2>&1; then
        say "Fetching $1 $2 with cargo binstall into .tools/ (seconds, or $4 minutes if it has to compile)"
        cargo binstall --no-confirm --locked --root .tools "$1@$2" && return
        say "cargo binstall did not succeed; trying cargo install"
    fi
    say "Compiling $1 $2 into .tools/ (once; about $4 minutes on two cores)"
    # In its own build folder: these are no outputs of this project.
    env -u CARGO_TARGET_DIR cargo install "$1" --version "=$2" --locked --root .tools $quiet ||
        die "$1 $2 could not be installed." \
            "Put $3 $2 on PATH by other means (cargo binstall $1@$2, a package manager) and run the same command again."
}

npm_packages() {
    node -e '
        const { devDependencies } = require("./package.json");
        for (const [name, version] of Object.entries(devDependencies))
            if (require(`./node_modules/${name}/package.json`).version !== version) process.exit(1);
    ' 2>/dev/null && return
    say "Installing binaryen, playwright-core and axe-core from npm into node_modules/ (seconds, 120 MB)"
    npm ci --ignore-scripts --no-audit --no-fund ||
        die "npm could not install the packages of package-lock.json." "See its message above."
}

apt_get() { # as root, who may need no password to be
    local sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

browser() {
    local problem
    problem=$(node scripts/find-chrome.mjs 2>&1 >/dev/null) && return
    [ -z "${CHROME:-}" ] || die "$problem"
    if command -v apt-get >/dev/null; then
        if apt_get --version >/dev/null 2>&1; then
            say "Installing Chromium and Japanese fonts with apt (one to three minutes, 400 MB)"
            apt_get update -qq || true
            apt_get install -y -qq --no-install-recommends chromium fonts-noto-cjk >/dev/null || true
            node scripts/find-chrome.mjs >/dev/null 2>&1 && return
        fi
    fi
    die "The browser tests need Chrome or Chromium; none was found, and it could not be installed from here." \
        "Debian, Ubuntu: sudo apt-get install chromium fonts-noto-cjk      Fedora: sudo dnf install chromium" \
        "macOS: brew install --cask google-chrome" \
        "Or say where it is: CHROME=/path/to/chrome make test"
}

has_server() { node scripts/find-server.mjs "$1" >/dev/null 2>&1; }

# Debian's packages are only unpacked, since installing them would start two servers. Not every release has both.
fetch_servers() {
    local package
    mkdir -p .tools/servers
    for package in nginx nginx-core caddy; do
        (cd .tools/servers && apt-get download -qq "$package" 2>/dev/null) || true
    done
    for package in .tools/servers/*.deb; do
        [ ! -e "$package" ] || dpkg-deb --extract "$package" .tools/servers
        rm -f "$package"
    done
}

# For the configurations in docs/hosting/. Where only one of the two is to be had, the other one's is not tested.
web_servers() {
    ! has_server nginx || ! has_server caddy || return 0
    if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
        say "Fetching nginx and Caddy with apt into .tools/servers/ (seconds, 40 MB)"
        fetch_servers
        has_server nginx || has_server caddy || { apt_get update -qq || true; fetch_servers; }
    fi
    has_server nginx || has_server caddy || die "The tests of docs/hosting/ need nginx or Caddy; none was found, and none could be fetched from here." \
        "Debian, Ubuntu: sudo apt-get install nginx      Fedora: sudo dnf install nginx caddy" \
        "macOS: brew install nginx caddy"
}

# Progress is for people; a log is only filled by it.
quiet=""
[ -t 1 ] || quiet="--quiet"

need_rust
need_node
for purpose in "${@:-test}"; do
    case $purpose in
        serve | dist | test) ;;
        *) die "scripts/setup.sh: unknown purpose $purpose (serve, dist or test)." ;;
    esac
    wasm_target
    cargo_tool wasm-bindgen-cli "$BINDGEN_VERSION" wasm-bindgen 4
    cargo_tool trunk "$TRUNK_VERSION" trunk 7
    [ "$purpose" = serve ] || npm_packages
    if [ "$purpose" = test ]; then
        rust_component rustfmt "cargo fmt --version"
        rust_component clippy "cargo clippy --version"
        browser
        web_servers
    fi
done
