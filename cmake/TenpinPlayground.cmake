# The engine of the playground: a scene goes in as text, a run is kept in memory and comes out in the viewer's pieces.
# Without HDF5, SQLite, CLP, Boost and the program; see docs/playground.md.
tenpin_module(record ONLY "(csv|memory_run|no_run_file|rows|run_header|run_reader|run_writer|summary|whole_file).cpp")
tenpin_module(lab PRIVATE nlohmann_json::nlohmann_json ZLIB::ZLIB ONLY
  "(motions|simulation|viewer_(arrays|curves|frames|header|page|stream)).cpp")
add_subdirectory(apps/playground)
add_subdirectory(tests/playground)
