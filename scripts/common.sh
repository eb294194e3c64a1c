# Functions shared by the scripts, which source this file and then run in the root of the project.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
heed=build/release/bin/heed
# Debian's names of the libraries that heed and its tests are built from.
library_packages=(
  libspdlog-dev libyaml-cpp-dev libcli11-dev libsentencepiece-dev libprotobuf-dev libicu-dev nlohmann-json3-dev zlib1g-dev liblzma-dev libzstd-dev libminizip-dev libexpat1-dev libmd4c-dev libxxhash-dev libmicrohttpd-dev libcld2-dev libstemmer-dev libgloo-dev
  libgtest-dev libgmock-dev
)
browser_packages=(nodejs patchelf dpkg-dev)  # for scripts/wasm.sh

say() { printf '%s\n' "$*"; }
heading() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# 250 -> 4m 10s
duration() { if (($1 < 60)); then printf '%ds' "$1"; else printf '%dm %02ds' $(($1 / 60)) $(($1 % 60)); fi; }

# Prints the number of compilers to run: one a core, each with 1.5 GB of memory (a file that includes libtorch takes about 1 GB).
compilers() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print 1 + int($2 / 1500000)}' /proc/meminfo)
  say $((cores < memory ? cores : memory))
}

setup() { scripts/setup.sh "$@"; }

# build PRESET [target…]: configures and builds; `configure_options` are options of CMake
configure_options=()
build() {
  local preset=$1 output
  shift
  heading "build, in build/$preset"
  output=$(cmake --preset "$preset" "${configure_options[@]}" 2>&1) || { say "$output" >&2; fail "CMake failed"; }
  cmake --build "build/$preset" -j "$(compilers)" ${1:+--target "$@"}
}
