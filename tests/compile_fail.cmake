# Programs that must not compile: each file of tests/compile_fail names, in its first line, the sentence that the
# compiler must print. tools/compile_fail.py judges one file. Included by tests/CMakeLists.txt; one preset is enough,
# since nothing here depends on how the library was built.
file(GLOB files CONFIGURE_DEPENDS compile_fail/*.cpp)

# Most of the time would go into reading the headers of the library again and again. Where g++ finds them compiled, in an
# earlier directory, it takes that.
set(compiled ${CMAKE_CURRENT_BINARY_DIR}/compiled_headers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp)
  file(MAKE_DIRECTORY ${compiled}/stoa)
  add_custom_command(OUTPUT ${compiled}/stoa/stoa.hpp.gch DEPENDS ${headers}
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -w -I${PROJECT_SOURCE_DIR}/include -x c++-header
            ${PROJECT_SOURCE_DIR}/include/stoa/stoa.hpp -o ${compiled}/stoa/stoa.hpp.gch
    VERBATIM)
  add_custom_target(stoa_compiled_headers ALL DEPENDS ${compiled}/stoa/stoa.hpp.gch)
endif()

foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  add_test(NAME compile_fail/${name}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/compile_fail.py
            --compiler ${CMAKE_CXX_COMPILER} --include ${compiled} --include ${PROJECT_SOURCE_DIR}/include
            --include ${CMAKE_CURRENT_SOURCE_DIR} ${file})
endforeach()
