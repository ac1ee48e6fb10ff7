# The target `git2`: libgit2, linked statically where the system has all of its archives. As a shared library it would
# load seventeen others at each start of hwsift, which takes longer than a start does.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GIT2 REQUIRED IMPORTED_TARGET libgit2>=1.4)

# hwsift reads objects and talks to no server: base/git_transports.c stands for the parts of libgit2 that would bring SSH
# and Kerberos in.
set(HWSIFT_GIT2_ARCHIVES "")
foreach(name git2 http_parser mbedtls mbedx509 mbedcrypto pcre2-8 z)
  find_library(HWSIFT_ARCHIVE_${name} lib${name}.a)
  mark_as_advanced(HWSIFT_ARCHIVE_${name})
  list(APPEND HWSIFT_GIT2_ARCHIVES ${HWSIFT_ARCHIVE_${name}})
endforeach()

if(NOT DEFINED HWSIFT_GIT2_LINKS_STATICALLY)
  file(READ ${PROJECT_SOURCE_DIR}/base/git_transports.c transports)
  file(WRITE ${PROJECT_BINARY_DIR}/git2_check.c "${transports}\n#include <git2.h>\nint main(void) { return git_libgit2_init() < 0; }\n")
  try_compile(linked ${PROJECT_BINARY_DIR}/git2_check ${PROJECT_BINARY_DIR}/git2_check.c
              CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${GIT2_INCLUDE_DIRS}" LINK_LIBRARIES ${HWSIFT_GIT2_ARCHIVES})
  set(HWSIFT_GIT2_LINKS_STATICALLY ${linked} CACHE BOOL "whether libgit2 is linked statically")
endif()

add_library(git2 INTERFACE)
if(HWSIFT_GIT2_LINKS_STATICALLY)
  target_include_directories(git2 SYSTEM INTERFACE ${GIT2_INCLUDE_DIRS})
  target_sources(git2 INTERFACE ${PROJECT_SOURCE_DIR}/base/git_transports.c)
  # Named first, so that they are there before the archive looks for its own.
  target_link_options(git2 INTERFACE LINKER:-u,git_smart_subtransport_ssh)
  target_link_libraries(git2 INTERFACE ${HWSIFT_GIT2_ARCHIVES})
else()
  target_link_libraries(git2 INTERFACE PkgConfig::GIT2)
endif()
