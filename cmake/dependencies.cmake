# External libraries, all from Debian packages (cmake/packages.txt), as imported targets. CMake treats the headers of
# imported targets as system headers, so our warnings do not reach into them.
find_package(fmt REQUIRED)             # fmt::fmt
find_package(Eigen3 REQUIRED)          # Eigen3::Eigen
find_package(CLI11 REQUIRED)           # CLI11::CLI11
find_package(nlohmann_json REQUIRED)   # nlohmann_json::nlohmann_json

# What the tests and benchmarks need and the program does not.
function(trunnion_find_for what packages)
  find_package(${ARGV2} QUIET)
  foreach(target IN LISTS ARGN)
    if(target MATCHES "::" AND NOT TARGET ${target})
      message(FATAL_ERROR "${what} need ${target}, which is not installed. On Debian:\n"
        "  apt-get install ${packages}\n"
        "The program alone needs none of it: cmake --preset program, or ./run")
    endif()
  endforeach()
endfunction()
if(TRUNNION_TESTS)
  trunnion_find_for("The tests" "libgtest-dev libgmock-dev" GTest GTest::gtest GTest::gmock GTest::gmock_main)
endif()
if(TRUNNION_BENCH)
  trunnion_find_for("The benchmarks" "libbenchmark-dev" benchmark benchmark::benchmark benchmark::benchmark_main)
endif()

# What a program links of a library with many others behind it: its archives, where all of them are there. The loader of 55
# shared ones was nine tenths of the program's start (HDF5 brings curl with 30, MUMPS a Fortran and two compressors).
# trunnion_archives(<name> <libraries>…): <name>_ARCHIVES, empty where one is missing.
function(trunnion_archives name)
  set(found "")
  file(GLOB compiler_folders "/usr/lib/gcc/${CMAKE_LIBRARY_ARCHITECTURE}/*")
  foreach(library IN LISTS ARGN)
    find_library(${name}_${library}_ARCHIVE NAMES lib${library}.a HINTS ${compiler_folders})
    mark_as_advanced(${name}_${library}_ARCHIVE)
    if(NOT ${name}_${library}_ARCHIVE)
      set(${name}_ARCHIVES "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND found "${${name}_${library}_ARCHIVE}")
  endforeach()
  set(${name}_ARCHIVES ${found} PARENT_SCOPE)
endfunction()
# trunnion_import(<target> <headers> <shared library> [<archives>…])
function(trunnion_import target headers library)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${headers}")
  if(ARGN)
    target_link_libraries(${target} INTERFACE ${ARGN} ${CMAKE_DL_LIBS} pthread m)
  else()
    target_link_libraries(${target} INTERFACE "${library}")
  endif()
endfunction()

# Debian 12's SuiteSparse has no CMake package: SuiteSparse::KLU, SuiteSparse::SPQR, … by hand.
find_path(SUITESPARSE_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
mark_as_advanced(SUITESPARSE_INCLUDE_DIR)
function(trunnion_suitesparse name library)
  find_library(SUITESPARSE_${name} NAMES lib${library}.a ${library} REQUIRED)
  mark_as_advanced(SUITESPARSE_${name})
  add_library(SuiteSparse::${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(SuiteSparse::${name} PROPERTIES
    IMPORTED_LOCATION "${SUITESPARSE_${name}}"
    INTERFACE_INCLUDE_DIRECTORIES "${SUITESPARSE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()
trunnion_suitesparse(Config suitesparseconfig)
trunnion_suitesparse(AMD amd SuiteSparse::Config)
trunnion_suitesparse(COLAMD colamd SuiteSparse::Config)
trunnion_suitesparse(BTF btf SuiteSparse::Config)
trunnion_suitesparse(KLU klu SuiteSparse::AMD SuiteSparse::COLAMD SuiteSparse::BTF)
trunnion_suitesparse(CHOLMOD cholmod SuiteSparse::AMD SuiteSparse::COLAMD)
trunnion_suitesparse(SPQR spqr SuiteSparse::CHOLMOD)

# MUMPS, the sequential one: MUMPS::MUMPS.
find_path(MUMPS_INCLUDE_DIR dmumps_c.h REQUIRED)
find_library(MUMPS_LIBRARY dmumps_seq REQUIRED)
mark_as_advanced(MUMPS_INCLUDE_DIR MUMPS_LIBRARY)
trunnion_archives(MUMPS dmumps_seq mumps_common_seq pord_seq mpiseq_seq esmumps scotch scotcherr lapack blas
  gfortran quadmath z bz2 lzma)
trunnion_import(MUMPS::MUMPS "${MUMPS_INCLUDE_DIR}" "${MUMPS_LIBRARY}" ${MUMPS_ARCHIVES})

# Spectra: headers only, no CMake package in Debian.
find_path(SPECTRA_INCLUDE_DIR Spectra/GenEigsSolver.h REQUIRED)
mark_as_advanced(SPECTRA_INCLUDE_DIR)
add_library(Spectra::Spectra INTERFACE IMPORTED GLOBAL)
target_include_directories(Spectra::Spectra INTERFACE "${SPECTRA_INCLUDE_DIR}")
# HDF5's C library, the serial one: HDF5::HDF5. FindHDF5 wants the language C or a compiler wrapper.
find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
mark_as_advanced(HDF5_INCLUDE_DIR HDF5_LIBRARY)
trunnion_archives(HDF5 hdf5_serial sz aec z)
if(HDF5_ARCHIVES)
  add_library(trunnion_hdf5_offline STATIC "${CMAKE_CURRENT_LIST_DIR}/hdf5_offline.cpp")
  list(APPEND HDF5_ARCHIVES trunnion_hdf5_offline)
endif()
trunnion_import(HDF5::HDF5 "${HDF5_INCLUDE_DIR}" "${HDF5_LIBRARY}" ${HDF5_ARCHIVES})
