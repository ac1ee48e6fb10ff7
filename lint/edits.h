// The edits that rules attach to their findings. Places are those of the decoded text; `text` is that text,
// and where it is "" no fix is asked for and nothing is attached.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/facts.h"
#include "lint/contract.h"
#include "lint/finding.h"

namespace hwsift::lint {

// Adds an edit to the finding's fix; of several safeties the stricter one holds.
void add_edit(Finding& finding, Safety safety, Edit edit);
void replace(Finding& finding, Safety safety, analyzer::Span span, const std::string& text);

// One more argument at the end of a call, on a line of its own where the others have one each.
void add_argument(Finding& finding, Safety safety, std::string_view text, const analyzer::Instantiation& call,
                  const std::string& argument);
// The same for a flag such as allow_xpu, unless the call gives it already.
void add_flag(Finding& finding, Safety safety, std::string_view text, const analyzer::Instantiation& call,
              const std::string& flag);
// Takes an argument out together with the comma before it.
void remove_argument(Finding& finding, Safety safety, std::string_view text, analyzer::Span argument);

// Makes `name` of `module` known in the file, unless it is: joins an import of that module, else adds a line
// among the imports.
void add_import(Finding& finding, Safety safety, const Subject& subject, const std::string& module,
                const std::string& name);
// A statement at the top of the class body, below its docstring.
void add_to_body(Finding& finding, Safety safety, std::string_view text, const analyzer::Class& cls,
                 const std::string& statement);
// A statement at module level, below the class.
void add_after_class(Finding& finding, Safety safety, std::string_view text, const analyzer::Class& cls,
                     const std::string& statement);

// What fixes import, and from where.
inline constexpr char kCommonUtils[] = "torch.testing._internal.common_utils";
inline constexpr char kCommonDeviceType[] = "torch.testing._internal.common_device_type";
inline constexpr char kEnum[] = "HardwareClassification";

}  // namespace hwsift::lint
