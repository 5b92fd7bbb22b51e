# shellcheck shell=bash disable=SC2034
# Sourced by the scripts that build for debugging. They all use these flags, so that one build serves them all:
# other flags would compile everything again. Extra features (package traits) are on, and a warning is an error.
flags=(--enable-all-traits -Xswiftc -warnings-as-errors)

# Where a program of the toolchain is: on PATH, or beside the real "swift".
toolchain_program() {
    command -v "$1" || xcrun --find "$1" 2>/dev/null || echo "$(dirname "$(realpath "$(command -v swift)")")/$1"
}
