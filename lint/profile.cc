#include "lint/profile.h"

#include <algorithm>

namespace hwsift::lint {

const Profile* LintRules::profile(const std::string& name) const {
  auto found =
      std::find_if(profiles.begin(), profiles.end(), [&](const Profile& p) { return p.name == name; });
  return found == profiles.end() ? nullptr : &*found;
}

const RuleDocument* LintRules::document(const std::string& id) const {
  auto found =
      std::find_if(documents.begin(), documents.end(), [&](const RuleDocument& d) { return d.id == id; });
  return found == documents.end() ? nullptr : &*found;
}

void name_profiles(LintRules& rules) {
  for (RuleDocument& document : rules.documents) {
    document.profiles.clear();
    for (const Profile& profile : rules.profiles)
      if (profile.rules.count(document.id) > 0) document.profiles.push_back(profile.name);
  }
}

}  // namespace hwsift::lint
