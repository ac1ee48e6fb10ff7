# hwsift_embed(TARGET FUNCTION FILE): compiles the bytes of FILE into TARGET; they are reached as
# `std::string_view FUNCTION()` in namespace hwsift::embedded, declared in "embedded/FUNCTION.h".
function(hwsift_embed target function file)
  set(header ${PROJECT_BINARY_DIR}/generated/embedded/${function}.h)
  set(source ${PROJECT_BINARY_DIR}/generated/embedded/${function}.cc)
  add_custom_command(
    OUTPUT ${header} ${source}
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=${function} -DINPUT=${file} -DHEADER=${header} -DSOURCE=${source}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${header} ${source})
endfunction()
