# What the wasm build needs in place of the system's libraries: flags that keep the bits of the native
# program, yaml-cpp, qhull and zlib from their sources (tools/wasm_sources.sh), and headers that have no code.
set(wasm_sources ${PROJECT_BINARY_DIR}/libraries)
set(wasm_include ${PROJECT_BINARY_DIR}/include)
if(NOT EXISTS ${wasm_sources}/complete)
  message(FATAL_ERROR "Run tools/wasm_sources.sh ${wasm_sources} first, or `make playground`.")
endif()

# SIMD through emscripten's SSE2 header gives Eigen packets of two doubles, and so the native order of sums.
# Without stack colouring: clang 14 lets two temporaries that are both in use share a place (docs/playground.md).
add_compile_options(-fwasm-exceptions -msimd128 -msse2 -ffp-contract=off
  "SHELL:-mllvm -no-stack-coloring"
  "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/src/base/library_gaps.h>")
add_link_options(-fwasm-exceptions -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=33554432 -sTOTAL_STACK=4194304)

# Headers of the system, and no other header of the system: its C library is not this one's.
file(MAKE_DIRECTORY ${wasm_include})
foreach(name nlohmann fmt)
  if(EXISTS /usr/include/${name})
    file(CREATE_LINK /usr/include/${name} ${wasm_include}/${name} SYMBOLIC)
  endif()
endforeach()
if(NOT EXISTS ${wasm_include}/mmintrin.h)  # a new time of change would compile everything again
  file(WRITE ${wasm_include}/mmintrin.h "// Eigen includes it; there is no MMX here.\n")
endif()
# A copy of Eigen without the inline assembler of its SSE code: min and max, there because of a bug of old versions
# of GCC, and two empty statements that prevent spilling.
if(NOT EXISTS ${wasm_include}/Eigen/Core)
  file(COPY /usr/include/eigen3/Eigen DESTINATION ${wasm_include})
  set(packets ${wasm_include}/Eigen/src/Core/arch/SSE/PacketMath.h)
  file(READ ${packets} text)
  string(REPLACE "#if EIGEN_COMP_GNUC && EIGEN_COMP_GNUC < 63" "#if 0" text "${text}")
  file(WRITE ${packets} "${text}")
  set(panels ${wasm_include}/Eigen/src/Core/products/GeneralBlockPanelKernel.h)
  file(READ ${panels} text)
  string(REGEX REPLACE "__asm__ +\\(\"\" : [^;]*\\)\;?" "{}" text "${text}")
  file(WRITE ${panels} "${text}")
endif()

function(tenpin_headers target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${wasm_include})
endfunction()
tenpin_headers(Eigen3::Eigen)
target_compile_definitions(Eigen3::Eigen INTERFACE EIGEN_MAX_STATIC_ALIGN_BYTES=16)
tenpin_headers(nlohmann_json::nlohmann_json)
tenpin_headers(fmt::fmt)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # none are started

file(GLOB yaml_files ${wasm_sources}/yaml-cpp/src/*.cpp)
add_library(yaml-cpp STATIC ${yaml_files})
target_include_directories(yaml-cpp SYSTEM PUBLIC ${wasm_sources}/yaml-cpp/include)
target_compile_definitions(yaml-cpp PUBLIC YAML_CPP_STATIC_DEFINE)
target_compile_features(yaml-cpp PRIVATE cxx_std_17)
target_compile_options(yaml-cpp PRIVATE -w)

file(GLOB qhull_files ${wasm_sources}/qhull/src/libqhull_r/*.c)
add_library(qhull_r STATIC ${qhull_files})
target_include_directories(qhull_r SYSTEM PUBLIC ${wasm_sources}/qhull/src)
target_compile_options(qhull_r PRIVATE -w)
add_library(Qhull::qhull_r ALIAS qhull_r)

add_library(zlib STATIC)
foreach(name adler32 compress crc32 deflate trees zutil)
  target_sources(zlib PRIVATE ${wasm_sources}/zlib/${name}.c)
endforeach()
target_include_directories(zlib SYSTEM PUBLIC ${wasm_sources}/zlib)
target_compile_options(zlib PRIVATE -w)
add_library(ZLIB::ZLIB ALIAS zlib)
