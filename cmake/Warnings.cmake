# The warnings that every target of this project compiles with: link the interface target stoa_warnings privately.
# It is never exported, so users of Stoa keep their own settings. Included by the root CMakeLists.txt.
add_library(stoa_warnings INTERFACE)
target_compile_options(stoa_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${STOA_WERROR}>:-Werror>)
