# Programs that use Stoa without exceptions and without RTTI: the library's sources are compiled once more that way,
# and every file of tests/noexcept is a program of its own. Included by tests/CMakeLists.txt.
file(GLOB programs CONFIGURE_DEPENDS noexcept/*.cpp)
if(programs)
  get_target_property(sources stoa SOURCES)
  add_library(stoa_noexcept STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(stoa_noexcept PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # The optimiser has the same code before it as in the library itself, so it can rest here.
  target_compile_options(stoa_noexcept PUBLIC -fno-exceptions -fno-rtti -O0)
  target_link_libraries(stoa_noexcept PUBLIC stoa_test_common)
endif()
foreach(program IN LISTS programs)
  cmake_path(GET program STEM name)
  add_executable(stoa_noexcept_${name} ${program})
  target_link_libraries(stoa_noexcept_${name} PRIVATE stoa_noexcept)
  add_test(NAME noexcept/${name} COMMAND stoa_noexcept_${name})
  # An error handler may leave by a jump, which runs no destructors: what the library held for the sentence is lost then.
  set_tests_properties(noexcept/${name} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
endforeach()
