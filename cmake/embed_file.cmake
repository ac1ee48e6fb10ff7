# Writes HEADER and SOURCE for hwsift_embed(). Bytes become an array, so that no content can break the literal.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
file(WRITE ${HEADER} "#pragma once\n#include <string_view>\nnamespace hwsift::embedded {\nstd::string_view ${FUNCTION}();\n}\n")
file(WRITE ${SOURCE} "#include \"embedded/${FUNCTION}.h\"\nnamespace hwsift::embedded {\n"
  "static const char kBytes[] = {${bytes}'\\0'};\n"
  "std::string_view ${FUNCTION}() { return {kBytes, sizeof kBytes - 1}; }\n}\n")
