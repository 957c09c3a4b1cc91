# Bundles viewer/ into one page and embeds it in tenpin_lab. Packages are fetched only when package-lock.json has
# changed, by npm or, without it, by a script; without Node.js, configure with -DTENPIN_VIEWER=OFF and do without pages.
option(TENPIN_VIEWER "embed the viewer, which needs Node.js" ON)

target_link_libraries(tenpin_lab PRIVATE ZLIB::ZLIB)

set(viewer_source ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_build ${PROJECT_BINARY_DIR}/viewer)
set(viewer_template ${viewer_build}/viewer_template.cpp)
file(MAKE_DIRECTORY ${viewer_build})

if(NOT TENPIN_VIEWER)
  set(empty_template ${viewer_build}/no_viewer.cpp)
  file(CONFIGURE OUTPUT ${empty_template} @ONLY CONTENT
"#include \"lab/viewer_template.h\"
std::span<const std::string_view> tenpin::lab::viewer_template() { return {}; }
")
  target_sources(tenpin_lab PRIVATE ${empty_template})
  return()
endif()

find_program(TENPIN_NODE NAMES node nodejs)
find_program(TENPIN_NPM npm)
if(NOT TENPIN_NODE)
  message(FATAL_ERROR "The viewer needs Node.js (Debian: nodejs). "
    "Install it, or configure with -DTENPIN_VIEWER=OFF for a program without pages.")
endif()

# Everything is bundled in the build folder: sources are seen there through a link, so that the source
# folder stays clean and several builds do not meet.
foreach(name package.json package-lock.json tsconfig.json build.mjs fetch_packages.mjs)
  configure_file(${viewer_source}/${name} ${viewer_build}/${name} COPYONLY)
endforeach()
file(CREATE_LINK ${viewer_source}/src ${viewer_build}/src SYMBOLIC)

# The tests need more packages than the page; they are on unless switched off.
if(TENPIN_NPM)
  set(fetch ${TENPIN_NPM} ci --no-audit --no-fund --ignore-scripts --prefer-offline --loglevel=error)
else()
  set(fetch ${TENPIN_NODE} fetch_packages.mjs)
endif()
set(npm_flags)
if(NOT PROJECT_IS_TOP_LEVEL OR (DEFINED TENPIN_TESTS AND NOT TENPIN_TESTS))
  list(APPEND npm_flags --omit=dev)
endif()
string(MAKE_C_IDENTIFIER "packages ${npm_flags}" stamp_name)
set(packages_stamp ${viewer_build}/${stamp_name}.stamp)
add_custom_command(OUTPUT ${packages_stamp}
  COMMAND ${fetch} ${npm_flags}
  COMMAND ${CMAKE_COMMAND} -E touch ${packages_stamp}
  DEPENDS ${viewer_build}/package-lock.json
  WORKING_DIRECTORY ${viewer_build} VERBATIM
  COMMENT "Fetching the viewer's packages")

file(GLOB viewer_files CONFIGURE_DEPENDS ${viewer_source}/src/*)
add_custom_command(OUTPUT ${viewer_template} ${viewer_build}/viewer.html
  COMMAND ${TENPIN_NODE} build.mjs .
  DEPENDS ${packages_stamp} ${viewer_build}/build.mjs ${viewer_files}
  WORKING_DIRECTORY ${viewer_build} VERBATIM
  COMMENT "Bundling the viewer")
target_sources(tenpin_lab PRIVATE ${viewer_template})
