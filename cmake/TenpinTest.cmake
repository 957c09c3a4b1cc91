# tenpin_test(<folder> [SOURCES file...] [LIBRARIES tgt...]) makes one GoogleTest program,
# test_<folder>, from tests/<folder>/**.cpp and SOURCES, and registers each of its tests with ctest.
function(tenpin_test folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${folder} ${sources} ${ARG_SOURCES})
  target_include_directories(test_${folder} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(test_${folder} PRIVATE
    TENPIN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TENPIN_PROGRAM="$<TARGET_FILE:tenpin>")
  target_link_libraries(test_${folder} PRIVATE ${ARG_LIBRARIES} GTest::gtest_main tenpin_flags)
  if(NOT folder STREQUAL base)  # the only one that has no Eigen
    tenpin_precompile(test_${folder} tests <gtest/gtest.h> <Eigen/Geometry> <Eigen/LU>)
  endif()
  set_target_properties(test_${folder} PROPERTIES UNITY_BUILD OFF)  # tests may name things alike
  include(GoogleTest)
  gtest_discover_tests(test_${folder} TEST_PREFIX ${folder}. DISCOVERY_TIMEOUT 600
    PROPERTIES TIMEOUT 6000)  # s: only a test that hangs meets it, not a slow machine
endfunction()
