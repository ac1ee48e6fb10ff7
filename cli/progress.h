// What the commands about history, items and progress share: the ruler of the tree, and its history up to
// now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "history/ruler.h"
#include "history/timeline.h"
#include "history/work_tree.h"
#include "lint/profile.h"
#include "store/store.h"

namespace hwsift::cli {

// Keeps what the ruler points to.
struct TreeRuler {
  lint::LintRules rules;
  history::Ruler ruler;
};

// Now, or the time that SOURCE_DATE_EPOCH sets for documents that are to come out the same.
std::string time_told();

// `allowlist` is a path in the tree as seen from the user's folder; "" stands for the one of hwsift.yaml, or
// the default one where that is there.
Status make_ruler(Context& context, const Tree& tree, const std::string& allowlist, TreeRuler& made);

// The tree now, and how it came here.
struct Standpoint {
  // The history that the database has of the branch that is checked out, and the work tree as it stands:
  // where that differs from the last measured commit, a commit without a hash comes last. Without a database
  // the work tree alone.
  history::Timeline timeline;
  std::string profile;  // whose findings are counted
  history::Head head;
};
// `files`: facts of the work tree, of which those that are there are not read again.
Result<Standpoint> standpoint_of(Context& context, const Tree& tree, store::Store* store,
                                 const std::vector<analyzer::FileFacts>& files);

// Its timeline alone.
Result<history::Timeline> current_timeline(Context& context, const Tree& tree, store::Store* store);

}  // namespace hwsift::cli
