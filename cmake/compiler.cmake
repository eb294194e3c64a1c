# What every target of the project is compiled and linked with.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
foreach(family "GNU;12" "Clang;14")
  list(GET family 1 oldest)
  if("${CMAKE_CXX_COMPILER_ID};${oldest}" STREQUAL "${family}" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS oldest)
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} is version ${CMAKE_CXX_COMPILER_VERSION}; heed needs g++ 12 or clang 14 or later")
  endif()
endforeach()

# -O2: half the time of -O3 to compile; the files of loops over numbers ask for more (heed_instruction_set).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(HEED_AVX512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND HEED_AVX512 -Wno-uninitialized -Wno-maybe-uninitialized)  # false alarms of g++ 12 in its own header
endif()
# -O1, but not by g++ 13 and later: their precompiled header of -O2 serves no file of -O1.
function(heed_optimize_less target)
  if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()
function(heed_instruction_set file)
  # The loops are vectors already. In scalar loops, the vectorizer would part multiplication and addition, which then round twice.
  set(options -O3 -fno-tree-vectorize -ffp-contract=fast ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -fno-schedule-insns)  # for ARM, it would load so much ahead that sums of a tile leave their registers
  endif()
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}"
    SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

find_program(CCACHE ccache)
if(CCACHE)
  # A precompiled header is told apart by its content and macros, not by its time; build folders share what they compile.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
find_program(MOLD mold)
if(MOLD AND NOT CMAKE_CROSSCOMPILING)  # g++ for another processor does not find it
  add_link_options(-fuse-ld=mold)
endif()

add_library(heed_options INTERFACE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(shadowing -Wshadow=local)
  set(false_alarms -Wno-restrict)  # of g++ 12 in its own string
else()
  # clang warns where designated initializers leave out a field; behind -Wextra, which would turn it on again
  set(false_alarms -Wno-missing-field-initializers)
endif()
target_compile_options(heed_options INTERFACE -Wall -Wextra -Wno-unused-parameter ${shadowing} -fno-math-errno ${false_alarms})
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(heed_options INTERFACE -ffp-contract=off)  # the kernels alone fuse, so that scores are those of x86-64
endif()
target_include_directories(heed_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(heed_options INTERFACE HEED_VERSION="${PROJECT_VERSION}")
if(HEED_WERROR)
  target_compile_options(heed_options INTERFACE -Werror)
endif()
if(HEED_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -DNDEBUG")  # half the time of -O2 -g to compile
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # the checks that the sanitizers put in make g++ 12 see uninitialized members in its own std::regex
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEED_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEED_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
