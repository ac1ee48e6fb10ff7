# Libraries as archives where the system has them: each shared one makes every start of hwsift slower, and a program
# without them runs where they are not installed. SQLite, YAML, XML and text formatting have targets of our names.
function(hwsift_archive name shared archive)  # ARGN: what the archive needs itself
  add_library(${name} INTERFACE)
  find_library(HWSIFT_ARCHIVE_${archive} lib${archive}.a)
  mark_as_advanced(HWSIFT_ARCHIVE_${archive})
  if(HWSIFT_ARCHIVE_${archive})
    target_include_directories(${name} SYSTEM INTERFACE $<TARGET_PROPERTY:${shared},INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${name} INTERFACE ${HWSIFT_ARCHIVE_${archive}} ${ARGN})
  else()
    target_link_libraries(${name} INTERFACE ${shared})
  endif()
endfunction()

find_package(yaml-cpp REQUIRED)
find_package(pugixml REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
hwsift_archive(yaml yaml-cpp yaml-cpp)
hwsift_archive(xml pugixml::pugixml pugixml)
hwsift_archive(sqlite SQLite::SQLite3 sqlite3 m ${CMAKE_DL_LIBS})

if(NOT DEFINED HWSIFT_FMT_COMPILES)
  file(WRITE ${PROJECT_BINARY_DIR}/fmt_check.cc "#include <fmt/format.h>\nint main(int n, char** of) { return fmt::format(\"{:>5} {:.1f} {}\", n, n * 0.5, *of).empty(); }\n")
  get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  try_compile(compiles ${PROJECT_BINARY_DIR}/fmt_check
              SOURCES ${PROJECT_BINARY_DIR}/fmt_check.cc ${PROJECT_SOURCE_DIR}/base/fmt_functions.cc
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${fmt_include}" CXX_STANDARD 20)
  set(HWSIFT_FMT_COMPILES ${compiles} CACHE BOOL "whether base/fmt_functions.cc holds what fmt's headers declare")
endif()
if(HWSIFT_FMT_COMPILES)
  add_library(formatting STATIC base/fmt_functions.cc)
  target_include_directories(formatting SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  add_library(formatting INTERFACE)
  target_link_libraries(formatting INTERFACE fmt::fmt)
endif()
