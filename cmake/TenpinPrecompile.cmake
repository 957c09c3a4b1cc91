# tenpin_precompile(<target> <reader> <header>...) lets a target read headers that were compiled once.
# Most of the time of a compilation goes into Eigen and GoogleTest. Targets with the same flags share
# what the first of them, named after the reader (modules, tests), compiled.
option(TENPIN_PRECOMPILE "compile large headers once; such compilations are not cached by ccache" OFF)

function(tenpin_precompile target reader)
  if(NOT TENPIN_PRECOMPILE)
    return()
  endif()
  # g++ 12 raises false alarms in std::string, and tells them where its headers are precompiled.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
  get_property(first GLOBAL PROPERTY tenpin_precompiled_${reader})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
    set_property(GLOBAL PROPERTY tenpin_precompiled_${reader} ${target})
  endif()
endfunction()
