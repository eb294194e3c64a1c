#!/usr/bin/env bash
# Installs what heed is built from, as root or with sudo; what is there already is left alone.
#   - packages of the system, on Debian and its derivatives: compiler, CMake, libraries. Elsewhere they have to be there.
#   - libtorch 2.13: the one that CMAKE_PREFIX_PATH names, else `pip install torch==2.13.0` into .venv
# usage: scripts/setup.sh [--browser | --checks | --packages]
#   --browser: also what scripts/wasm.sh needs
#   --checks: also what .ci/run needs: clang-format, and programs and Python packages without which tests are skipped
#   --packages: also what scripts/package.sh needs
source "$(dirname "$0")/common.sh"

torch_version=2.13.0
administrator=()  # sudo, where that is needed
meanwhile=yes     # whether folders are compiled while pip is at work
python_packages=()  # that tests use
packages=(g++ cmake ninja-build ccache mold pkg-config git python3 python3-venv "${library_packages[@]}")
case "${1:-}" in
  "") ;;
  --checks)
    packages+=(clang-format zsh fish groff chromium librsvg2-bin libmecab2 mecab-ipadic-utf8)
    python_packages=(playwright==1.65.2 numpy nbclient ipykernel deepl==1.32.0 libretranslatepy==2.1.4)
    meanwhile=  # .ci/run compiles with other options
    ;;
  --browser) packages+=("${browser_packages[@]}") ;;
  --packages) packages+=("${browser_packages[@]}" file) ;;
  *) fail "unknown argument '$1'; usage: scripts/setup.sh [--browser | --checks | --packages]" ;;
esac

# system: Debian 12 and 13 are "tested", other versions and derivatives (Ubuntu, Mint, …) a "derivative".
system() (
  . "${HEED_OS_RELEASE:-/etc/os-release}" 2> /dev/null || true
  case "${ID:-} ${VERSION_ID:-}" in
    "debian 12" | "debian 13") say tested ;;
    *) if [[ " ${ID:-} ${ID_LIKE:-} " == *" debian "* ]]; then say derivative; else say other; fi ;;
  esac
)

explain_derivative() {
  say "heed is tested on Debian 12 and 13. This is another system of their kind, so the same package names are tried."
}

explain_other_system() {
  say "heed is tested on Debian 12 and 13. On this system, no packages of the system are installed."
  say "Needed: g++ 12 or clang 14 or later (C++20), CMake 3.25, Ninja, pkg-config, Python 3.10 with venv, and the development files of"
  say "spdlog, yaml-cpp, CLI11, SentencePiece, ICU, nlohmann-json, zlib, liblzma, zstd, minizip, Expat, md4c, xxHash, libmicrohttpd, CLD2, libstemmer, Gloo and GoogleTest; ccache and mold speed it up."
  say "Debian calls them: ${packages[*]}"
}

missing_packages() {
  comm -23 <(printf '%s\n' "${packages[@]}" | sort) \
    <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | awk '$1 == "installed" {print $2}' | sort -u)
}

# The packages named and those they need that are not here: how many, and megabytes to download.
size_of_download() {
  apt-get install --print-uris -qq --no-install-recommends "$@" | awk '{n++; bytes += $3} END {printf "%d packages, %d MB", n, bytes / 1e6}'
}

# apt-get as administrator. While another program holds one of its locks, it waits, 15 minutes at most: apt-get itself waits
# for the lock of dpkg alone, not for those of the package lists and of the archives.
lock_wait=${HEED_APT_WAIT:-900}
apt_get() {
  local end=$((SECONDS + lock_wait)) told= output
  output=$(mktemp)
  until "${administrator[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o Dpkg::Use-Pty=0 -o "DPkg::Lock::Timeout=$lock_wait" "$@" > "$output" 2>&1; do
    if ! grep -q '^E: Could not get lock\|^E: Unable to lock\|^E: Unable to acquire the dpkg frontend lock' "$output" || ((SECONDS >= end)); then
      tail -n 30 "$output" >&2
      fail "apt-get $1 failed; its whole output is in $output"
    fi
    if [ -z "$told" ]; then say "Another program is installing packages; waiting until it is done."; fi
    told=yes
    sleep 5
  done
  rm -f "$output"
}

install_packages() {
  local missing
  mapfile -t missing < <(missing_packages)
  if ((${#missing[@]} == 0)); then return; fi
  heading "packages: ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    command -v sudo > /dev/null || fail "run this as root, or install sudo; missing: ${missing[*]}"
    administrator=(sudo)
  fi
  apt_get update
  say "With what they need: $(size_of_download "${missing[@]}") to download, about four times as much on disk."
  apt_get install -y --no-install-recommends "${missing[@]}"
}

# The first folder of CMAKE_PREFIX_PATH that holds a libtorch.
named_libtorch() {
  local folder folders
  IFS=: read -ra folders <<< "${CMAKE_PREFIX_PATH:-}"
  for folder in "${folders[@]}"; do
    if [ -f "$folder/lib/libtorch_cpu.so" ]; then say "$folder" && return; fi
  done
  return 1
}

make_venv() { [ -x .venv/bin/python ] || python3 -m venv .venv; }

# RECORD is the last file that pip writes.
venv_has_libtorch() {
  compgen -G ".venv/lib/python3*/site-packages/torch-$torch_version*.dist-info/RECORD" > /dev/null \
    && compgen -G ".venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so" > /dev/null
}

# Stops where something else than libtorch is missing, before gigabytes are downloaded: CMake looks for libtorch last.
check_build_tools() {
  local output
  command -v cmake > /dev/null || fail "there is no cmake (3.25 or later is needed); nothing was downloaded"
  output=$(cmake --preset release 2>&1) || grep -q "libtorch was not found" <<< "$output" || {
    say "$output" >&2
    fail "heed cannot be built here yet: CMake says above what is missing; nothing was downloaded"
  }
}

# Compiles some of what needs no libtorch; if it fails, the build itself will say so.
compile_other_folders() {
  local folders=(base config text search kernels inference report)
  cmake --preset release -DHEED_TENSORS=OFF && exec nice ninja -C build/release -j "$(compilers)" "${folders[@]/#/heed_}"
}

install_libtorch() {
  local folder
  if folder=$(named_libtorch); then
    say "libtorch: $folder, from CMAKE_PREFIX_PATH (heed is tried with $torch_version)"
    return
  fi
  if [ -n "${CMAKE_PREFIX_PATH:-}" ]; then say "CMAKE_PREFIX_PATH names no folder with lib/libtorch_cpu.so."; fi
  if ! venv_has_libtorch; then
    check_build_tools
    heading "libtorch: pip install torch==$torch_version, into .venv"
    say "About 200 MB to download and 900 MB on disk for the build for CPUs; several GB for the build with CUDA, which is what"
    say "the public index gives on Linux. The former comes by PIP_INDEX_URL=https://download.pytorch.org/whl/cpu before the command;"
    say "CMAKE_PREFIX_PATH names a libtorch that is there already."
    make_venv
    if [ -n "$meanwhile" ]; then
      say "Meanwhile, folders that do not need it are compiled."
      compile_other_folders > /dev/null 2>&1 &
      trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
    fi
    .venv/bin/python -m pip install --disable-pip-version-check "torch==$torch_version"
    wait
    venv_has_libtorch || fail "pip installed torch, but .venv has no libtorch_cpu.so of version $torch_version"
  fi
  say "libtorch: $torch_version in .venv"
}

# Playwright needs Chromium of the system.
install_python_packages() {
  if ((${#python_packages[@]} == 0)); then return; fi
  say "For tests, in .venv: ${python_packages[*]}"
  make_venv
  .venv/bin/python -m pip install -q --disable-pip-version-check "${python_packages[@]}"
}

case $(system) in
  tested) install_packages ;;
  derivative) explain_derivative && install_packages ;;
  other) explain_other_system ;;
esac
install_libtorch
install_python_packages
