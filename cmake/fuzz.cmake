# Included by tests/CMakeLists.txt where TRUNNION_FUZZ is on: fuzz_<stem> from tests/fuzz/<stem>.cpp, and a test that runs it
# from a fresh copy of tests/fuzz/seeds/<stem>/ and the corpus files *.<stem> (adm, acf).
add_custom_target(fuzzers)
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*.cpp")
foreach(source IN LISTS fuzz_sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "^fuzz_" "" stem "${stem}")
  set(target fuzz_${stem})
  add_executable(${target} ${source})
  trunnion_target(${target})
  target_link_libraries(${target} PRIVATE trunnion_all)
  add_dependencies(fuzzers ${target})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  add_test(NAME ${target} COMMAND "${PROJECT_SOURCE_DIR}/cmake/fuzz.sh" $<TARGET_FILE:${target}>
    "${CMAKE_BINARY_DIR}/corpus/${stem}" "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/seeds/${stem}" "${corpus}" ${stem})
  set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 300 ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1)
endforeach()
