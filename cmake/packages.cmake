# Debian packages by CPack, one a component; scripts/package.sh makes and tries them.
#   heed           the program, complete for standard models; manual pages and completion
#   libheed0       the library        libheed-dev  its headers
#   heed-tensors   what needs libtorch, which is no Debian package: the pip command of docs/library.md adds it
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
configure_file(${CMAKE_SOURCE_DIR}/cmake/heed-serve@.service.in ${CMAKE_BINARY_DIR}/heed-serve@.service @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/heed-serve@.service DESTINATION lib/systemd/system COMPONENT program)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heed)
set(CPACK_PACKAGE_CONTACT "the heed developers <heed@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
if(HEED_TENSORS)
  list(APPEND CPACK_COMPONENTS_ALL tensors)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(CMAKE_CROSSCOMPILING)  # for arm64, with the libraries of Debian in the sysroot
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    ${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE} ${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
endif()
set(same_version "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME heed)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Program that translates with standard models, serves them and evaluates
 The commands train, import, export, inspect, score, average, vocab, attention, plot attention and config need heed-tensors,
 and so do other models, ensembles and GPUs. docs/library.md of the source lists them.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libheed0)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Library that translates with models of heed
 Other models than standard ones, ensembles and GPUs need heed-tensors.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libheed-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers of libheed")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libheed0 ${same_version}")
set(CPACK_DEBIAN_TENSORS_PACKAGE_NAME heed-tensors)
set(CPACK_COMPONENT_TENSORS_DESCRIPTION "Training, and models that libtorch computes
 libtorch itself is not in it. This installs it:
 pip install --no-deps --index-url https://download.pytorch.org/whl/cpu --target ${CMAKE_INSTALL_FULL_LIBDIR}/heed torch==${HEED_TORCH_VERSION}")
# shlibdeps does not know libtorch; the others are those of the two packages.
set(CPACK_DEBIAN_TENSORS_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_TENSORS_PACKAGE_DEPENDS "heed ${same_version}, libheed0 ${same_version}")
include(CPack)
