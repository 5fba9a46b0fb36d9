# The installed package as its users meet it, static and shared. tests/consumer/check.py installs Stoa below the build
# directory and builds the small project of tests/consumer against it. Included by tests/CMakeLists.txt.
find_package(PkgConfig REQUIRED)
foreach(flavour IN ITEMS static shared)
  add_test(NAME consumer/${flavour}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/consumer/check.py
            --flavour ${flavour} --build ${PROJECT_BINARY_DIR} --work ${CMAKE_CURRENT_BINARY_DIR}/consumer/${flavour}
            --cmake ${CMAKE_COMMAND} --compiler ${CMAKE_CXX_COMPILER} --pkg-config ${PKG_CONFIG_EXECUTABLE})
  set_tests_properties(consumer/${flavour} PROPERTIES TIMEOUT 600)
endforeach()
