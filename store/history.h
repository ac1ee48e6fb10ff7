// History in the database: measures of contents, which are cache, and lines of commits.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "history/backfill.h"
#include "history/census.h"
#include "history/line.h"
#include "history/timeline.h"
#include "store/store.h"

namespace hwsift::store {

// Of the two lines that a database may hold.
inline constexpr int kShownLine = 0;
inline constexpr int kNewLine = 1;  // one in the making

struct LineState {
  std::string allowlist_file;  // relative to the tree
  std::string begins;          // why nothing older is known
  std::string traits;          // what the tree of the last commit says about itself; `append` sets it
  history::Every every = history::Every::week;
};

// A file of the last commit of a line.
struct StoredFile {
  std::string path;
  std::string blob;
  history::KeptMeasure kept;
};

// Where another process wrote to a line after `commits` read it here, nothing more is written to it: each
// commit that is added rests on the one before.
class History {
 public:
  // `fingerprint` of the ruler that measures now.
  static Result<History> open(Store& store, const std::string& fingerprint);
  // The same to read only: nothing is written.
  static Result<History> open_to_read(Store& store, const std::string& fingerprint);

  Result<std::vector<history::StoredCommit>> commits(int line);
  Result<std::optional<LineState>> state(int line);
  Result<std::vector<StoredFile>> files_at_end(int line);
  // nullopt: the last commit has no allowlist.
  Result<std::optional<history::Listed>> listed_at_end(int line);
  // Measures of that content by the present ruler. What cannot be read counts as not kept: it is cache.
  std::vector<history::KeptMeasure> kept(const std::string& path, const std::string& blob);

  Status set_state(int line, const LineState& state);
  // Takes away what comes after a position, and whether the commit there is a point.
  Status cut(int line, long long position, bool is_point);
  Status clear(int line);
  // Keeps the measures of these files of the census, whatever becomes of their commit.
  Status keep(const std::vector<std::string>& paths, history::Census& census);
  // Adds a commit at the end of a line, all of it or nothing; new measures of the census are kept by it.
  Status append(int line, const history::CommitRecord& record, history::Census& census);
  // The new line takes the place of what the shown one has from a position on; 0: of all of it. `gap`: what
  // lies before it is not known.
  Status show_new_line(long long joint, bool gap);
  // Measures of another ruler that no line needs any more.
  Status drop_old_measures();

 private:
  History(Store& store, long long analysis) : store_(store), analysis_(analysis) {}
  // The last commit of a line.
  struct End {
    long long position = 0;
    std::string hash;
    bool operator==(const End&) const = default;
  };
  long long keep_one(const std::string& path, const history::CountedFile& file,
                     const history::Census& census);
  End end_of(int line);
  Status check_end(int line);
  bool write_state(int line, const LineState& state);
  bool add(int line, long long position, const history::CommitRecord& record, history::Census& census,
           std::map<std::string, long long>& fresh);
  Status fail(const std::string& doing);

  Store& store_;
  long long analysis_ = 0;
  std::map<int, End> ends_;          // of lines, as this process knows them
  std::map<int, LineState> states_;  // as this process has set them
};

// The shown line, oldest first. `fingerprint` as above: commits that another ruler measured are marked.
Result<history::Timeline> read_timeline(Store& store, const std::string& fingerprint);

}  // namespace hwsift::store
