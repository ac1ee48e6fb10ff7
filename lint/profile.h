// A profile: which rules run, on which files, how severe. Data from rules/profiles.yaml.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/result.h"
#include "base/yaml.h"
#include "lint/finding.h"

namespace hwsift::lint {

// The contract that a profile holds classes to; each is one file of lint/.
enum class Contract { upstream_strict, upstream_relaxed, recommended, declare };

// How a profile decides where people differ.
struct Settings {
  // Whether a class for every accelerator may list accelerators in only_for, instead of except_for alone.
  bool accelerators_in_only_for = false;
  // Whether a class may leave its label to a base class.
  bool inherited_label = false;
};

struct Profile {
  std::string name;
  std::string summary;
  Contract contract = Contract::recommended;
  std::map<std::string, Severity> rules;  // id to severity; a rule that is not here does not run
  Settings settings = {};
};

// A lint rule's documentation, from rules/lint/<id>.yaml.
struct RuleDocument {
  std::string id;
  std::string summary;
  std::string why;
  std::string bad;   // an example that fires
  std::string good;  // the same, mended
  std::string fix;   // what --fix does: "safe: ...", "review: ...", several by "; ", or "none"
  std::vector<std::string> profiles;  // names of the profiles that have it; derived from profiles.yaml
};

struct LintRules {
  std::vector<Profile> profiles;        // in the order of the file; the first is the default
  std::vector<RuleDocument> documents;  // sorted by id

  const Profile* profile(const std::string& name) const;
  const RuleDocument* document(const std::string& id) const;
};

// Fills RuleDocument::profiles.
void name_profiles(LintRules& rules);

// The profiles and documents that were compiled in. Built on first use.
const LintRules& builtin_lint_rules();
// Adds the profiles of a project, as hwsift.yaml lists them: {name, extends, summary, select, ignore,
// severity, settings}. The error names file and line.
Status add_project_profiles(const Yaml& list, LintRules& rules);
// rules/profiles.yaml and rules/lint/*.yaml of a folder; the error names file and line.
Result<LintRules> load_lint_rules(Disk& disk, const std::string& rules_folder);

}  // namespace hwsift::lint
