// The rules that the contracts know. Each has its documentation in rules/lint/<id>.yaml.
#pragma once

namespace hwsift::lint::rule {

inline constexpr char accelerator_availability[] = "accelerator_availability";
inline constexpr char decorator[] = "decorator";
inline constexpr char device_param[] = "device_param";
inline constexpr char except_for[] = "except_for";
inline constexpr char hw_classification[] = "hw_classification";
inline constexpr char instantiation[] = "instantiation";
inline constexpr char only_for[] = "only_for";
inline constexpr char parse_error[] = "parse_error";
inline constexpr char stale_allowlist[] = "stale_allowlist";

inline constexpr const char* kAll[] = {accelerator_availability, decorator,     device_param, except_for,
                                       hw_classification,        instantiation, only_for,     parse_error,
                                       stale_allowlist};

}  // namespace hwsift::lint::rule
