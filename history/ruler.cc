#include "history/ruler.h"

#include "analysis_sources.h"
#include "analyzer/discover.h"
#include "base/disk.h"
#include "base/hash.h"
#include "base/text.h"

namespace hwsift::history {

bool Ruler::covers(const std::string& path) const {
  if (!path.starts_with("test/") || !path.ends_with(".py") || analyzer::lies_passed_by(path)) return false;
  for (const std::string& place : excluded)
    if (path == place || path_below(path, place) != path) return false;
  return true;
}

std::string Ruler::fingerprint() const {
  Digest digest;
  digest.add(kAnalysisSources);
  digest.add(vocabulary->version);
  digest.add(profile->name);
  for (const auto& [rule, severity] : profile->rules) {
    digest.add(rule);
    digest.add(lint::word(severity));
  }
  digest.add(profile->settings.accelerators_in_only_for ? 1 : 0);
  digest.add(profile->settings.inherited_label ? 1 : 0);
  digest.add(static_cast<long long>(scan.max_file_bytes));
  for (const std::string& place : excluded) digest.add(place);
  return digest.hex();
}

}  // namespace hwsift::history
