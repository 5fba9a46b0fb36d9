# Install rules: the library and its headers, the license, the package that find_package(Stoa) reads, and stoa.pc and
# stoa_parallel.pc for pkg-config.
# Included by the root CMakeLists.txt; checked by tests/consumer. While the major version is 0 a minor version may
# break users, so find_package accepts the same minor version only.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS stoa EXPORT StoaTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/stoa DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(stoa_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Stoa)
configure_package_config_file(cmake/StoaConfig.cmake.in ${PROJECT_BINARY_DIR}/StoaConfig.cmake
  INSTALL_DESTINATION ${stoa_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/StoaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/StoaConfig.cmake ${PROJECT_BINARY_DIR}/StoaConfigVersion.cmake
  DESTINATION ${stoa_package_dir})
install(EXPORT StoaTargets NAMESPACE stoa:: DESTINATION ${stoa_package_dir})
if(STOA_PARALLEL)
  install(TARGETS stoa_parallel EXPORT StoaParallelTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT StoaParallelTargets NAMESPACE stoa:: DESTINATION ${stoa_package_dir})
endif()

# The paths in the files for pkg-config are relative to the files themselves, so that an installed tree can be moved.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE stoa_pc_dir)
cmake_path(APPEND stoa_pc_dir pkgconfig)
foreach(part IN ITEMS LIBDIR INCLUDEDIR)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_${part} BASE_DIRECTORY ${stoa_pc_dir} OUTPUT_VARIABLE stoa_pc_${part})
endforeach()
configure_file(cmake/stoa.pc.in ${PROJECT_BINARY_DIR}/stoa.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/stoa.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(STOA_PARALLEL)
  # A shared library brings oneTBB itself; with a static one the user's program is linked against it.
  get_target_property(stoa_parallel_type stoa_parallel TYPE)
  set(stoa_pc_tbb)
  if(stoa_parallel_type STREQUAL "STATIC_LIBRARY")
    set(stoa_pc_tbb ", tbb")
  endif()
  configure_file(cmake/stoa_parallel.pc.in ${PROJECT_BINARY_DIR}/stoa_parallel.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/stoa_parallel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
