# The libraries the project stands on. Each is linked by the one folder that is allowed to see it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd)

if(HEED_TENSORS)
  # libtorch from the virtual environment that scripts/setup.sh makes, or from CMAKE_PREFIX_PATH.
  file(GLOB venv_torch ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch)
  find_path(TORCH_ROOT NAMES lib/libtorch_cpu.so HINTS ${CMAKE_PREFIX_PATH} ENV CMAKE_PREFIX_PATH PATHS ${venv_torch} NO_DEFAULT_PATH)
  if(NOT TORCH_ROOT)
    message(FATAL_ERROR "libtorch was not found: run scripts/setup.sh, or name its folder by -DCMAKE_PREFIX_PATH=…")
  endif()
  # Where an installed library looks for libtorch: the second is where `pip install --target LIBDIR/heed torch` puts it.
  set(HEED_TORCH_RPATH "$ORIGIN;$ORIGIN/heed/torch/lib;${TORCH_ROOT}/lib" CACHE STRING "Folders of libtorch for installed libraries")
  # Headers of Gloo, which those of libtorch's process groups include; the code is in libtorch.
  find_path(GLOO_INCLUDE NAMES gloo/context.h REQUIRED)
  # Its include folder carries other versions of fmt and google/…, so it is searched after the system's.
  add_library(heed_torch INTERFACE)
  target_compile_options(heed_torch INTERFACE -Wno-array-bounds  # false alarms of g++ 12 in the headers of libtorch
    "SHELL:-idirafter ${TORCH_ROOT}/include" "SHELL:-idirafter ${TORCH_ROOT}/include/torch/csrc/api/include")
  target_link_libraries(heed_torch INTERFACE
    ${TORCH_ROOT}/lib/libtorch.so ${TORCH_ROOT}/lib/libtorch_cpu.so ${TORCH_ROOT}/lib/libc10.so)
  # NCCL: the code is in libtorch for CUDA; its headers and those of CUDA come from PyPI (nvidia-nccl, nvidia-cublas,
  # nvidia-cusparse, nvidia-cusolver, nvidia-cuda-cccl) beside libtorch, or with a toolkit.
  file(GLOB from_pypi ${TORCH_ROOT}/../nvidia/nccl/include ${TORCH_ROOT}/../nvidia/cu*/include)
  set(NCCL_INCLUDES)
  foreach(header nccl.h cuda_runtime_api.h cusolverDn.h nv/target)
    find_path(include_of_${header} NAMES ${header} HINTS ${from_pypi} PATHS /usr/local/cuda/include PATH_SUFFIXES cccl)
    mark_as_advanced(include_of_${header})
    list(APPEND NCCL_INCLUDES ${include_of_${header}})
  endforeach()
  list(REMOVE_DUPLICATES NCCL_INCLUDES)
  if(EXISTS ${TORCH_ROOT}/lib/libtorch_cuda.so AND NOT NCCL_INCLUDES MATCHES NOTFOUND)
    set(HEED_NCCL ON)
  endif()
endif()
