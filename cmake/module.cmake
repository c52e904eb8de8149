# Every target of ours links this: the warnings, and the include root src/ (#include "core/diagnostics.hpp").
add_library(trunnion_flags INTERFACE)
target_include_directories(trunnion_flags INTERFACE "${PROJECT_SOURCE_DIR}/src")
target_compile_options(trunnion_flags INTERFACE -Wall -Wextra -Wshadow $<$<BOOL:${TRUNNION_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Both are known false alarms of g++ 12, in code we do not write: -Wrestrict on std::string's operator+ (GCC bug 105651)
  # and -Wmaybe-uninitialized on what is inlined from Eigen and std::optional, more so with sanitizers.
  target_compile_options(trunnion_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
  if(TRUNNION_UNITY)
    # Names of the files that are compiled together are not each other's: shadows within a function count, those of a whole file
    # do not, and what is private to a file is private.
    target_compile_options(trunnion_flags INTERFACE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
  endif()
elseif(TRUNNION_UNITY)
  # A file's own names are not those of the file it is compiled with; g++ looks for real ones.
  target_compile_options(trunnion_flags INTERFACE -Wno-shadow)
endif()

# What of Eigen is compiled once for all: eigen_kernels.hpp says what.
add_library(trunnion_eigen STATIC "${PROJECT_SOURCE_DIR}/cmake/eigen_kernels.cpp")
target_link_libraries(trunnion_eigen PRIVATE trunnion_flags Eigen3::Eigen)

# All modules, for programs and tests.
add_library(trunnion_all INTERFACE)

# trunnion_header(<owner> HEADERS <headers> [LINK <targets>]): a precompiled header, compiled once for all that reuse it.
function(trunnion_header owner)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LINK")
  add_library(${owner} OBJECT "${PROJECT_SOURCE_DIR}/cmake/pch.cpp")
  target_link_libraries(${owner} PRIVATE trunnion_flags fmt::fmt Eigen3::Eigen ${arg_LINK})
  target_precompile_headers(${owner} PRIVATE ${arg_HEADERS})
  # Not from ccache: its preprocessor finds the old precompiled header in place, takes that for the text, and gives the old one back.
  set_target_properties(${owner} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

# One header for the modules below the system, one with the system's own headers for those above it (they are a third of what
# such a file compiles); tests have one with GoogleTest in it.
if(TRUNNION_PCH)
  # What ccache's manual asks for; clang would write the header's time into the file.
  add_compile_options($<IF:$<CXX_COMPILER_ID:GNU>,-fpch-preprocess,SHELL:-Xclang$<SEMICOLON>-fno-pch-timestamp>)
  trunnion_header(trunnion_pch HEADERS "${PROJECT_SOURCE_DIR}/cmake/pch.hpp")
  trunnion_header(trunnion_system_pch HEADERS "${PROJECT_SOURCE_DIR}/cmake/pch_system.hpp" LINK SuiteSparse::KLU)
endif()

# trunnion_target(<target> [<owner of the precompiled header>]): flags and precompiled header for a target with sources.
function(trunnion_target target)
  target_link_libraries(${target} PRIVATE trunnion_flags trunnion_eigen Eigen3::Eigen fmt::fmt)
  if(TRUNNION_PCH)
    set(pch trunnion_pch)
    if(ARGC GREATER 1)
      set(pch ${ARGV1})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

# trunnion_cold(<target>): what runs a few times in a run, and reads and writes text, is compiled with -O1 in three quarters of the time.
# Without the precompiled header: g++ takes the -O of that for all that includes it, whatever the command says.
function(trunnion_cold target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# trunnion_module(<folder> [DEPENDS <our modules>] [LINK <external targets>] [HEADER <owner of the precompiled header>])
# Static library trunnion_<folder> from all .cpp below the calling folder; an interface library while there are none.
function(trunnion_module folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "DEPENDS;LINK")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "trunnion_module(${folder}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target trunnion_${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(sources)
    add_library(${target} STATIC ${sources})
    trunnion_target(${target} ${arg_HEADER})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${TRUNNION_UNITY} UNITY_BUILD_BATCH_SIZE 8)
    add_dependencies(unit_tests ${target})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  foreach(module IN LISTS arg_DEPENDS)
    if(NOT TARGET trunnion_${module})
      message(FATAL_ERROR "src/${folder} depends on ${module}, but src/${module} has no CMakeLists.txt or comes later in "
        "CMakeLists.txt's module_order")
    endif()
    target_link_libraries(${target} ${scope} trunnion_${module})
  endforeach()
  target_link_libraries(${target} ${scope} ${arg_LINK})
  target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(trunnion_all INTERFACE ${target})
endfunction()
