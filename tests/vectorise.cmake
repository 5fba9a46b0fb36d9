# That walks vectorise: tests/vectorise/check.py compiles tests/vectorise/moves.cpp with each compiler it finds and looks at
# the instructions. Included by tests/CMakeLists.txt; one preset is enough, since it compiles for itself.
add_test(NAME vectorise/moves
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/vectorise/check.py --include ${PROJECT_SOURCE_DIR}/include)
set_tests_properties(vectorise/moves PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
