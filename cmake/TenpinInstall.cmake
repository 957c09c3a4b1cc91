# What `cmake --install` leaves: headers, libraries, the program and a package that find_package(tenpin) finds.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
install(DIRECTORY src/ DESTINATION include/tenpin FILES_MATCHING PATTERN "*.h")
install(DIRECTORY experiments/ DESTINATION share/tenpin/experiments)
install(EXPORT tenpin-targets NAMESPACE tenpin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)
configure_package_config_file(cmake/tenpin-config.cmake.in ${PROJECT_BINARY_DIR}/tenpin-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenpin-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenpin-config.cmake
  ${PROJECT_BINARY_DIR}/tenpin-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)
