# The library and what `cmake --install` leaves of it: public headers, and packages that
# find_package(tenpin) and pkg-config find.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# All modules that a simulation needs, in one library that shows its public functions only.
add_library(tenpin_library SHARED
  $<TARGET_OBJECTS:tenpin_simulation> $<TARGET_OBJECTS:tenpin_worlds>)
add_library(tenpin::tenpin ALIAS tenpin_library)
add_library(tenpin::core ALIAS tenpin_library)
set_target_properties(tenpin_library PROPERTIES OUTPUT_NAME tenpin EXPORT_NAME tenpin
  VERSION ${PROJECT_VERSION} SOVERSION 0)
target_compile_features(tenpin_library INTERFACE cxx_std_20)
target_include_directories(tenpin_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(tenpin_library PRIVATE tenpin_batch tenpin_methods tenpin_scene fmt::fmt
  INTERFACE Eigen3::Eigen)
set(exports ${PROJECT_SOURCE_DIR}/cmake/tenpin.map)
target_link_options(tenpin_library PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed
  -Wl,--version-script,${exports})
set_target_properties(tenpin_library PROPERTIES LINK_DEPENDS ${exports})

install(DIRECTORY include/tenpin DESTINATION include FILES_MATCHING PATTERN "*.h")
install(TARGETS tenpin_library EXPORT tenpin-targets)
install(EXPORT tenpin-targets NAMESPACE tenpin:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)
configure_package_config_file(cmake/tenpin-config.cmake.in ${PROJECT_BINARY_DIR}/tenpin-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenpin-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenpin-config.cmake
  ${PROJECT_BINARY_DIR}/tenpin-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenpin)

# pkg-config's file finds the prefix from where it is, so that it can be moved.
string(REGEX REPLACE "[^/]+" ".." TENPIN_PC_UP "/${CMAKE_INSTALL_LIBDIR}")
string(REGEX REPLACE "^/\\.\\." "" TENPIN_PC_UP "${TENPIN_PC_UP}")
configure_file(cmake/tenpin.pc.in ${PROJECT_BINARY_DIR}/tenpin.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenpin.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
