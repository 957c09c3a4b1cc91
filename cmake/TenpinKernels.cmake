# Compiles src/batch/kernels.cu to PTX, once per precision, and embeds it in tenpin_batch. Debian's clang does that without
# anything of NVIDIA's; without clang the program is built without kernels and says so when it is asked for a GPU.
find_program(TENPIN_CLANG NAMES clang++-14 clang++ DOC "compiles the kernels for GPUs")

set(kernels_build ${PROJECT_BINARY_DIR}/kernels)
set(kernels_source ${kernels_build}/kernels.cpp)
file(MAKE_DIRECTORY ${kernels_build})
if(TENPIN_CLANG)
  # ptx64: the operations of warps. No contraction and no -Os: same bits as on the CPU, and clang 14 fails on the latter.
  set(kernel_flags -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Xclang -target-feature
    -Xclang +ptx64 -Wno-unknown-cuda-version -ffp-contract=off -O2 -std=c++20 -I${PROJECT_SOURCE_DIR}/src)
  file(GLOB kernel_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/batch/*.h)
  foreach(real float double)
    set(ptx ${kernels_build}/kernels_${real}.ptx)
    add_custom_command(OUTPUT ${ptx}
      COMMAND ${TENPIN_CLANG} ${kernel_flags} -DTENPIN_REAL=${real} -S ${PROJECT_SOURCE_DIR}/src/batch/kernels.cu -o ${ptx}
      DEPENDS ${PROJECT_SOURCE_DIR}/src/batch/kernels.cu ${kernel_headers} VERBATIM
      COMMENT "Compiling kernels for GPUs (${real})")
    list(APPEND kernel_ptx ${ptx})
  endforeach()
else()
  message(STATUS "No clang: the program will have no kernels for GPUs")
  set(kernel_ptx)
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_FOUND)
  add_custom_command(OUTPUT ${kernels_source}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/embed_kernels.py ${kernels_source} ${kernel_ptx}
    DEPENDS ${PROJECT_SOURCE_DIR}/tools/embed_kernels.py ${kernel_ptx} VERBATIM
    COMMENT "Embedding kernels for GPUs")
else()  # the library alone needs no Python
  file(WRITE ${kernels_source} "#include \"batch/gpu_batch.h\"
namespace tenpin::batch {
template <>
std::string_view get_kernels<float>() { return {}; }
template <>
std::string_view get_kernels<double>() { return {}; }
}  // namespace tenpin::batch
")
endif()
target_sources(tenpin_batch PRIVATE ${kernels_source})
set_source_files_properties(${kernels_source} PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
