# tenpin_link_hdf5(<target>) lets a target use HDF5, which is loaded when the first of its functions is called.
# Debian's HDF5 depends on 32 more shared libraries, from libcurl to Kerberos. Loading them took most of the time that the program
# needs to start, and most commands read or write no run file. cmake/hdf5_symbols.txt names the functions.
set(is_lazy OFF)
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(is_lazy ON)
endif()
option(TENPIN_LAZY_HDF5 "load HDF5 when it is first used, not when the program starts" ${is_lazy})

function(tenpin_link_hdf5 target)
  list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX "libhdf5[^/]*[.]so$")
  if(TENPIN_LAZY_HDF5 AND HDF5_C_LIBRARIES AND CMAKE_READELF)
    list(GET HDF5_C_LIBRARIES 0 library)
    execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic)
    string(REGEX MATCH "SONAME[^[]*[[]([^]]+)[]]" found "${dynamic}")
    set(soname ${CMAKE_MATCH_1})
  endif()
  if(NOT soname)
    target_link_libraries(${target} PRIVATE hdf5::hdf5)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(source ${PROJECT_BINARY_DIR}/hdf5_calls.cpp)
  set(symbols ${PROJECT_SOURCE_DIR}/cmake/hdf5_symbols.txt)
  set(tool ${PROJECT_SOURCE_DIR}/tools/lazy_library.py)
  add_custom_command(OUTPUT ${source}
    COMMAND ${Python3_EXECUTABLE} ${tool} ${source} ${soname} libhdf5-103-1 H5open ${symbols}
    DEPENDS ${tool} ${symbols} VERBATIM COMMENT "Writing the calls of HDF5")
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${target} SYSTEM PRIVATE ${HDF5_C_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE ${HDF5_C_DEFINITIONS})
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
