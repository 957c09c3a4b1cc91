# What `cmake --install` leaves in addition to the library (TenpinLibrary.cmake): the program with its manual
# pages and completion, experiments, scenes and examples. cpack makes a Debian package of all of it and
# the Python package.
include(GNUInstallDirs)
install(DIRECTORY experiments scenes examples DESTINATION share/tenpin PATTERN __pycache__ EXCLUDE)

# The program's own texts as manual pages and completion.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(man ${PROJECT_BINARY_DIR}/man)
set(completion ${PROJECT_BINARY_DIR}/completion/tenpin)
add_custom_command(OUTPUT ${man}/tenpin.1 ${completion}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/man_pages.py --program $<TARGET_FILE:tenpin>
    --out ${man}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
  COMMAND $<TARGET_FILE:tenpin> completion bash > ${completion}
  DEPENDS tenpin ${PROJECT_SOURCE_DIR}/tools/man_pages.py VERBATIM
  COMMENT "Writing the manual pages")
add_custom_target(tenpin_man ALL DEPENDS ${man}/tenpin.1 ${completion})
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${completion} DESTINATION share/bash-completion/completions)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# Of the Debian package alone: elsewhere `make python` and `make wheel` install the Python package.
if(TARGET tenpin_python)
  install(DIRECTORY bindings/python/tenpin DESTINATION lib/python3/dist-packages COMPONENT python
    EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
  install(TARGETS tenpin_python LIBRARY DESTINATION lib/python3/dist-packages/tenpin COMPONENT python
    EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tenpin)
set(CPACK_PACKAGE_CONTACT "Tenpin developers <developers@tenpin.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Rigid bodies in contact, every step certified")
set(CPACK_PACKAGE_DESCRIPTION "Tenpin simulates rigid bodies that collide, slide, stick, roll and rest.
 This package has the program, the C++ library with its headers, the Python
 package, manual pages and scenes.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};tenpin;ALL;/;${PROJECT_BINARY_DIR};tenpin;python;/")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy, libeigen3-dev, libhdf5-103-1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "coinor-libclp1")
include(CPack)
