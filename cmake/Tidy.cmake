# Runs clang-tidy beside the compiler, with the checks of .clang-tidy. Included by the root CMakeLists.txt when
# STOA_TIDY is on, as in the preset "tidy". Versions before 16 do not understand the concepts Stoa uses.
find_program(STOA_CLANG_TIDY REQUIRED
  NAMES clang-tidy-19 clang-tidy-18 clang-tidy-17 clang-tidy-16
  DOC "clang-tidy, version 16 or newer")
set(CMAKE_CXX_CLANG_TIDY ${STOA_CLANG_TIDY} --quiet)
