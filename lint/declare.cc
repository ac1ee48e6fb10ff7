// declare: every class with own tests has a label that Python would read as one.
#include "lint/contract.h"
#include "lint/python_view.h"

namespace hwsift::lint {

std::vector<Finding> lint_declare(const Subject& subject) {
  Report report(subject);
  for (const analyzer::Class& cls : subject.file.classes) {
    if (!at_module_level(cls.context) || !cls.has_tests()) continue;
    if (!effective_label(subject, cls) || !is_defined(subject, cls))
      report_declaration(report, subject, cls, cls.label());
  }
  return report.take();
}

}  // namespace hwsift::lint
