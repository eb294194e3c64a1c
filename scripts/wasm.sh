#!/usr/bin/env bash
# Builds the module for browsers (WebAssembly) in build/wasm/browser, which `heed export page` puts into a page.
# usage: scripts/wasm.sh
# Needs neither root nor settings of apt. The compiler is the emcc of the path if it is version 3.1.50 or later; else that of Debian 13,
# which is unpacked into build/wasm-tools (a download of 400 MB). Libraries that Debian has as sources come from its source packages.
source "$(dirname "$0")/common.sh"

sysroot=$PWD/build/wasm-sysroot
tools=$PWD/build/wasm-tools
sources=(sentencepiece yaml-cpp zlib)
headers=(fmt nlohmann spdlog unicode xxhash.h xxh3.h)

# apt_for FOLDER TYPE SUITE ARGUMENT…: apt-get for packages of this suite (deb or deb-src), with all that it keeps in FOLDER
apt_for() {
  local folder=$1 type=$2 suite=$3 mirror
  shift 3
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' | head -1)
  [ -n "$mirror" ] || fail "apt has no list of packages: apt-get update"
  mkdir -p "$folder"/{lists,cache/archives}/partial
  touch "$folder/status"
  printf '%s [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$type" "$mirror" "$suite" > "$folder/sources.list"
  apt-get -qq -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$folder" \
    -o Dir::State::lists="$folder/lists" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

make_sysroot() {
  if [ "$(cat "$sysroot/packages" 2> /dev/null)" = "${sources[*]}" ]; then return; fi
  heading "libraries for WebAssembly, in build/wasm-sysroot"
  local name suite
  suite=$(. /etc/os-release && say "${VERSION_CODENAME:-}")
  rm -rf "$sysroot"
  mkdir -p "$sysroot"/{include,src,packages.apt}
  for name in "${headers[@]}"; do cp -r "/usr/include/$name" "$sysroot/include/"; done
  apt_for "$sysroot/packages.apt" deb-src "$suite" update
  (cd "$sysroot/packages.apt" && apt_for . deb-src "$suite" source --download-only "${sources[@]}")
  for name in "${sources[@]}"; do
    dpkg-source --extract "$sysroot/packages.apt/$name"_*.dsc "$sysroot/src/$name" > /dev/null
  done
  rm -rf "$sysroot/packages.apt"
  say "${sources[*]}" > "$sysroot/packages"
}

make_tools() {
  if [ -e "$tools/emscripten.config" ]; then return; fi
  heading "compiler for WebAssembly, in build/wasm-tools"
  local package program
  rm -rf "$tools"
  mkdir -p "$tools/packages.apt" "$tools"/usr/{bin,lib,lib64,sbin}
  for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$tools/$folder"; done
  apt_for "$tools/packages.apt" deb trixie update
  apt_for "$tools/packages.apt" deb trixie install --download-only --yes --no-install-recommends emscripten
  # Debian's prebuilt libraries are left out: those with the exceptions of WebAssembly are built from their sources.
  for package in "$tools"/packages.apt/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$tools" --exclude=./usr/share/emscripten/cache --exclude=./usr/share/doc
  done
  rm -rf "$tools/packages.apt"
  # The programs find the libraries of Debian 13 there, not those of this system.
  for program in "$tools"/usr/lib/llvm-19/bin/{clang,lld,llvm-ar,llvm-nm,llvm-objcopy} "$tools"/usr/bin/wasm-*; do
    patchelf --force-rpath --set-rpath "$tools/usr/lib/x86_64-linux-gnu:$tools/usr/lib/llvm-19/lib" \
      --set-interpreter "$tools/usr/lib64/ld-linux-x86-64.so.2" "$(readlink -f "$program")"
  done
  cat > "$tools/emscripten.config" << END
LLVM_ROOT = '$tools/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$tools/usr'
NODE_JS = '$(command -v node)'
END
}

check_programs() {
  local pair missing=()
  for pair in node:nodejs patchelf:patchelf dpkg-source:dpkg-dev cmake:cmake ninja:ninja-build; do
    command -v "${pair%:*}" > /dev/null || missing+=("${pair#*:}")
  done
  ((${#missing[@]} == 0)) || fail "${missing[*]} are missing; scripts/setup.sh --browser installs them"
}

# Versions before 3.1.50 lack the C++20 that heed is written in.
has_emcc() {
  local version
  version=$(emcc --version 2> /dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1) || return 1
  printf '3.1.50\n%s\n' "$version" | sort --version-sort --check=quiet
}

check_programs
make_sysroot
if ! has_emcc; then
  make_tools
  export PATH=$tools/usr/share/emscripten:$PATH EM_CONFIG=$tools/emscripten.config
fi
export EM_CACHE=$PWD/build/wasm-cache EM_FROZEN_CACHE=
heading "build, in build/wasm"
emcmake cmake --preset wasm > /dev/null
cmake --build build/wasm -j "$(compilers)" --target heed_browser
ls -l build/wasm/browser/heed.wasm.gz
