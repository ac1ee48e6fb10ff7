// The rules that the contracts know, and hwsift's own. Each has its documentation in rules/lint/<id>.yaml.
#pragma once

namespace hwsift::lint::rule {

inline constexpr char accelerator_availability[] = "accelerator_availability";
inline constexpr char cxx_device_suffix[] = "cxx_device_suffix";
inline constexpr char cxx_hardcoded_device[] = "cxx_hardcoded_device";
inline constexpr char cxx_missing_guard[] = "cxx_missing_guard";
inline constexpr char decorator[] = "decorator";
inline constexpr char device_compare[] = "device_compare";
inline constexpr char device_guard[] = "device_guard";
inline constexpr char device_param[] = "device_param";
inline constexpr char except_for[] = "except_for";
inline constexpr char golden_device[] = "golden_device";
inline constexpr char hardcoded_device[] = "hardcoded_device";
inline constexpr char hw_classification[] = "hw_classification";
inline constexpr char instantiation[] = "instantiation";
inline constexpr char invisible_test[] = "invisible_test";
inline constexpr char label_mismatch[] = "label_mismatch";
inline constexpr char label_scope[] = "label_scope";
inline constexpr char missing_variants[] = "missing_variants";
inline constexpr char mixed_class[] = "mixed_class";
inline constexpr char name_trap[] = "name_trap";
inline constexpr char only_for[] = "only_for";
inline constexpr char parse_error[] = "parse_error";
inline constexpr char stale_allowlist[] = "stale_allowlist";
inline constexpr char subclass_traps[] = "subclass_traps";
inline constexpr char unused_device[] = "unused_device";
inline constexpr char unused_suppression[] = "unused_suppression";
inline constexpr char vendor_api[] = "vendor_api";
inline constexpr char wrong_device[] = "wrong_device";
inline constexpr char zero_variants[] = "zero_variants";

inline constexpr const char* kAll[] = {accelerator_availability,
                                       cxx_device_suffix,
                                       cxx_hardcoded_device,
                                       cxx_missing_guard,
                                       decorator,
                                       device_compare,
                                       device_guard,
                                       device_param,
                                       except_for,
                                       golden_device,
                                       hardcoded_device,
                                       hw_classification,
                                       instantiation,
                                       invisible_test,
                                       label_mismatch,
                                       label_scope,
                                       missing_variants,
                                       mixed_class,
                                       name_trap,
                                       only_for,
                                       parse_error,
                                       stale_allowlist,
                                       subclass_traps,
                                       unused_device,
                                       unused_suppression,
                                       vendor_api,
                                       wrong_device,
                                       zero_variants};

}  // namespace hwsift::lint::rule
