set(TRUNNION_SANITIZE "" CACHE STRING "Value of -fsanitize= for all our code; empty for none")
option(TRUNNION_COVERAGE "Count executed lines for gcov" OFF)
option(TRUNNION_TESTS "Build tests/" ON)
option(TRUNNION_FUZZ "Build tests/fuzz too (clang)" OFF)
option(TRUNNION_BENCH "Build bench/" OFF)
option(TRUNNION_UNITY "Compile the files of a folder eight at a time: half the work from nothing, more after a small edit" OFF)
option(TRUNNION_WERROR "A warning is an error; OFF with g++ in the presets, for ./run must build with any g++ (./test fails on a warning)" ON)
option(TRUNNION_PCH "Use the precompiled header; OFF shows a file that forgot an #include" ON)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# As an option rather than the POSITION_INDEPENDENT_CODE property, which compiles programs (-fPIE) and libraries (-fPIC)
# differently: they share one precompiled header, and the libraries go into the Python module as well.
add_compile_options(-fPIC)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ looks for garbage each time its heap has doubled; a gigabyte first saves a tenth of the build and costs a fifth more memory.
  add_compile_options("SHELL:--param ggc-min-heapsize=1048576")
endif()

if(TRUNNION_SANITIZE)
  add_compile_options(-fsanitize=${TRUNNION_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # Checks of every pointer in Eigen's templates take half of the time to compile; the address sanitizer finds what they would.
  add_compile_options(-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
  add_link_options(-fsanitize=${TRUNNION_SANITIZE})
endif()
if(TRUNNION_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()
