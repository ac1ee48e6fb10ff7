// Which characters Python takes in an identifier (PEP 3131: XID_Start, XID_Continue), and which it can print.
#pragma once

namespace hwsift::analyzer {

bool starts_identifier(char32_t c);
bool continues_identifier(char32_t c);
bool is_printable(char32_t c);

}  // namespace hwsift::analyzer
