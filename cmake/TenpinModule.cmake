# tenpin_module(<name> [EXTERNAL tgt...] [PRIVATE tgt...]) makes target tenpin_<name> from
# src/<name>/**.cpp and links it to exactly the modules its line in src/layers.txt names.
# EXTERNAL libraries appear in the module's headers; PRIVATE ones only in its .cpp files. ONLY and EXCEPT are
# regular expressions of files: a build without some library leaves out the files that need it.
function(tenpin_module name)
  cmake_parse_arguments(ARG "" "ONLY;EXCEPT" "EXTERNAL;PRIVATE" ${ARGN})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt line REGEX "^${name} +:")
  string(REGEX REPLACE "^[^:]*:[ ]*" "" deps "${line}")
  separate_arguments(deps)
  if(EMSCRIPTEN)
    list(REMOVE_ITEM deps batch)  # batches of worlds are not built for pages
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(ARG_ONLY)
    list(FILTER sources INCLUDE REGEX "/src/${name}/(${ARG_ONLY})$")
  endif()
  if(ARG_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "/src/${name}/(${ARG_EXCEPT})$")
  endif()
  if(sources)
    add_library(tenpin_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(tenpin_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tenpin::${name} ALIAS tenpin_${name})
  if(NOT EMSCRIPTEN)  # which has no shared library
    set_target_properties(tenpin_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  target_compile_features(tenpin_${name} ${scope} cxx_std_20)
  target_include_directories(tenpin_${name} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  list(TRANSFORM deps PREPEND tenpin_)
  target_link_libraries(tenpin_${name} ${scope} ${deps} ${ARG_EXTERNAL})
  if(sources)
    target_link_libraries(tenpin_${name} PRIVATE ${ARG_PRIVATE} $<BUILD_INTERFACE:tenpin_flags>)
    if(NOT name STREQUAL base)  # the only one that has no Eigen
      tenpin_precompile(tenpin_${name} modules <Eigen/Geometry> <Eigen/LU> <string> <vector>)
    endif()
  endif()
endfunction()
