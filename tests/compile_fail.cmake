# Programs that must not compile: each file of tests/compile_fail names, in its first line, the sentence that the
# compiler must print. tools/compile_fail.py judges one file. Included by tests/CMakeLists.txt; one preset is enough,
# since nothing here depends on how the library was built.
file(GLOB files CONFIGURE_DEPENDS compile_fail/*.cpp)
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  add_test(NAME compile_fail/${name}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/compile_fail.py
            --compiler ${CMAKE_CXX_COMPILER} --include ${PROJECT_SOURCE_DIR}/include
            --include ${CMAKE_CURRENT_SOURCE_DIR} ${file})
endforeach()
