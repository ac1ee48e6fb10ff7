#include "store/history.h"

#include <memory>
#include <utility>

#include "base/json.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

constexpr long long kNoAnalysis = -1;        // of a ruler that measured nothing yet
constexpr std::size_t kMostCandidates = 16;  // measures of one content

std::string text_of(const std::map<std::string, std::string>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object.push_back({key, value});
  return dump_json(object, -1);
}

std::string text_of(const std::map<std::string, int>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object.push_back({key, value});
  return dump_json(object, -1);
}

// Cells of JSON, which only somebody's hand can have broken.
bool read_cell(const std::string& text, std::map<std::string, std::string>& map) {
  Result<SortedJson> json = parse_sorted_json(text, "");
  if (!json.ok() || !json->is_object()) return false;
  for (const auto& [key, value] : json->items()) {
    if (!value.is_string()) return false;
    map[key] = value.get<std::string>();
  }
  return true;
}

bool read_cell(const std::string& text, std::map<std::string, int>& map) {
  Result<SortedJson> json = parse_sorted_json(text, "");
  if (!json.ok() || !json->is_object()) return false;
  for (const auto& [key, value] : json->items()) {
    if (!value.is_number_integer()) return false;
    map[key] = value.get<int>();
  }
  return true;
}

bool read_cell(const std::string& text, std::vector<std::string>& list) {
  Result<SortedJson> json = parse_sorted_json(text, "");
  if (!json.ok() || !json->is_array()) return false;
  for (const SortedJson& value : *json) {
    if (!value.is_string()) return false;
    list.push_back(value.get<std::string>());
  }
  return true;
}

// Columns of `measure` as every question here asks for them.
constexpr char kMeasureColumns[] =
    "measure.id, needs, calls, traits, was_read, test_file, owners, outside_uses, findings, path, blob";
constexpr int kPathColumn = 9;
constexpr int kBlobColumn = 10;

std::vector<history::ClassMeasure> read_classes(Statement& classes, long long id) {
  std::vector<history::ClassMeasure> found;
  classes.bind(1, id);
  while (classes.row()) {
    history::ClassMeasure cls;
    cls.name = classes.text(0);
    cls.line = static_cast<int>(classes.number(1));
    cls.tests = static_cast<int>(classes.number(2));
    cls.declared = classes.text(3);
    cls.inferred = classes.text(4);
    cls.mixed = classes.number(5) != 0;
    cls.uses = static_cast<int>(classes.number(6));
    cls.findings = static_cast<int>(classes.number(7));
    found.push_back(std::move(cls));
  }
  classes.reset();
  return found;
}

constexpr char kClassesOf[] =
    "SELECT name, line, tests, declared, inferred, mixed, uses, findings FROM class_measure WHERE measure = "
    "? ORDER BY "
    "place";

// false where a cell is broken.
bool read_measure(Statement& row, Statement& classes, history::KeptMeasure& kept) {
  history::FileMeasure measure;
  kept.id = row.number(0);
  kept.calls = row.number(2) != 0;
  kept.traits = row.text(3);
  measure.read = row.number(4) != 0;
  measure.test_file = row.number(5) != 0;
  measure.outside_uses = static_cast<int>(row.number(7));
  bool fine = read_cell(row.text(1), kept.needs) && read_cell(row.text(6), measure.owners) &&
              read_cell(row.text(8), measure.findings);
  measure.classes = read_classes(classes, kept.id);
  kept.measure = std::make_shared<const history::FileMeasure>(std::move(measure));
  return fine;
}

Error broken_cell(const Store& store, const std::string& path) {
  return {store.file(), "the measure of " + path + " is damaged",
          "move the file away, and run 'hwsift history backfill' again"};
}

bool write_classes(sqlite3* handle, long long id, const std::vector<history::ClassMeasure>& classes) {
  Statement insert(
      handle,
      "INSERT INTO class_measure (measure, place, name, line, tests, declared, inferred, mixed, uses, "
      "findings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  long long place = 0;
  for (const history::ClassMeasure& cls : classes) {
    insert.bind(1, id);
    insert.bind(2, place++);
    insert.bind(3, cls.name);
    insert.bind(4, static_cast<long long>(cls.line));
    insert.bind(5, static_cast<long long>(cls.tests));
    insert.bind(6, cls.declared);
    insert.bind(7, cls.inferred);
    insert.bind(8, static_cast<long long>(cls.mixed));
    insert.bind(9, static_cast<long long>(cls.uses));
    insert.bind(10, static_cast<long long>(cls.findings));
    if (!insert.run()) return false;
  }
  return true;
}

bool write_commit(sqlite3* handle, int line, long long position, long long analysis,
                  const history::CommitRecord& record) {
  Statement insert(handle,
                   "INSERT INTO line_commit (line, position, hash, date, author, subject, point, gap_before, "
                   "analysis, files, classes, tests, declared, mixed, uses, findings, allowlisted) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const history::Commit& commit = record.commit;
  const history::Tally& tally = record.tally;
  int at = 0;
  for (long long number : {static_cast<long long>(line), position}) insert.bind(++at, number);
  for (const std::string& text : {commit.hash, commit.date, commit.author, commit.subject})
    insert.bind(++at, text);
  for (long long number :
       {static_cast<long long>(commit.point), static_cast<long long>(commit.gap_before), analysis,
        tally.files, tally.classes, tally.tests, tally.declared, tally.mixed, tally.uses, tally.findings})
    insert.bind(++at, number);
  if (commit.allowlisted)
    insert.bind(++at, *commit.allowlisted);
  else
    insert.bind_null(++at);
  return insert.run();
}

bool write_allowlist(sqlite3* handle, int line, long long position,
                     const std::vector<history::AllowlistStep>& steps) {
  Statement insert(handle,
                   "INSERT INTO allowlist_step (line, position, entry, path, whole_file, added) "
                   "VALUES (?, ?, ?, ?, ?, ?)");
  for (const history::AllowlistStep& step : steps) {
    insert.bind(1, static_cast<long long>(line));
    insert.bind(2, position);
    insert.bind(3, step.entry);
    insert.bind(4, step.path);
    insert.bind(5, static_cast<long long>(step.whole_file));
    insert.bind(6, static_cast<long long>(step.added));
    if (!insert.run()) return false;
  }
  return true;
}

// The same for each table that has lines.
bool for_each_table(sqlite3* handle, const std::string& sql, const std::vector<long long>& values) {
  for (const char* table : {"line_commit", "version", "allowlist_step"}) {
    std::string text = sql;
    text.replace(text.find('@'), 1, table);
    Statement statement(handle, text.c_str());
    for (std::size_t i = 0; i < values.size(); ++i) statement.bind(static_cast<int>(i) + 1, values[i]);
    if (!statement.run()) return false;
  }
  return true;
}

}  // namespace

Result<History> History::open_to_read(Store& store, const std::string& fingerprint) {
  Statement find(store.handle(), "SELECT id FROM analysis WHERE fingerprint = ?");
  find.bind(1, fingerprint);
  long long id = find.row() ? find.number(0) : kNoAnalysis;
  if (has_failed(store.handle())) return database_error(store.file(), "read the database", store.handle());
  return History(store, id);
}

Result<History> History::open(Store& store, const std::string& fingerprint) {
  Statement insert(store.handle(), "INSERT OR IGNORE INTO analysis (fingerprint) VALUES (?)");
  insert.bind(1, fingerprint);
  if (!insert.run()) return database_error(store.file(), "write to the database", store.handle());
  return open_to_read(store, fingerprint);
}

Status History::fail(const std::string& doing) {
  return database_error(store_.file(), doing, store_.handle());
}

Result<std::vector<history::StoredCommit>> History::commits(int line) {
  Statement rows(store_.handle(),
                 "SELECT position, hash, date, analysis FROM line_commit WHERE line = ? ORDER BY position");
  rows.bind(1, static_cast<long long>(line));
  std::vector<history::StoredCommit> commits;
  while (rows.row())
    commits.push_back({rows.number(0), rows.text(1), rows.text(2), rows.number(3) == analysis_});
  if (has_failed(store_.handle())) return fail("read the history").error();
  ends_[line] = commits.empty() ? End() : End{commits.back().position, commits.back().hash};
  return commits;
}

History::End History::end_of(int line) {
  Statement last(store_.handle(),
                 "SELECT position, hash FROM line_commit WHERE line = ? ORDER BY position DESC LIMIT 1");
  last.bind(1, static_cast<long long>(line));
  return last.row() ? End{last.number(0), last.text(1)} : End();
}

Status History::check_end(int line) {
  auto known = ends_.find(line);
  if (known == ends_.end() || known->second == end_of(line)) return {};
  return Error{store_.file(), "another hwsift writes the history at the same time",
               "run it again when that one is done"};
}

Result<std::optional<LineState>> History::state(int line) {
  Statement row(store_.handle(),
                "SELECT allowlist_file, begins, every, traits FROM line_state WHERE line = ?");
  row.bind(1, static_cast<long long>(line));
  std::optional<LineState> state;
  if (row.row())
    state = LineState{row.text(0), row.text(1), row.text(3),
                      history::every_of(row.text(2)).value_or(history::Every::week)};
  if (has_failed(store_.handle())) return fail("read the history").error();
  return state;
}

Result<std::vector<StoredFile>> History::files_at_end(int line) {
  std::string sql =
      std::string("WITH latest AS (SELECT path AS at, measure AS id, max(position) FROM version ") +
      "WHERE line = ? GROUP BY path) SELECT " + kMeasureColumns +
      ", latest.at FROM latest JOIN measure ON measure.id = latest.id ORDER BY latest.at";
  Statement rows(store_.handle(), sql.c_str());
  Statement classes(store_.handle(), kClassesOf);
  rows.bind(1, static_cast<long long>(line));
  std::vector<StoredFile> files;
  while (rows.row()) {
    StoredFile file;
    file.path = rows.text(kPathColumn);
    file.blob = rows.text(kBlobColumn);
    if (!read_measure(rows, classes, file.kept)) return broken_cell(store_, file.path);
    files.push_back(std::move(file));
  }
  if (has_failed(store_.handle())) return fail("read the history").error();
  return files;
}

Result<std::optional<history::Listed>> History::listed_at_end(int line) {
  Statement last(store_.handle(),
                 "SELECT allowlisted FROM line_commit WHERE line = ? ORDER BY position DESC LIMIT 1");
  last.bind(1, static_cast<long long>(line));
  if (!last.row() || last.is_null(0)) {
    if (has_failed(store_.handle())) return fail("read the history").error();
    return std::optional<history::Listed>();
  }
  Statement rows(
      store_.handle(),
      "SELECT entry, path, whole_file, added FROM allowlist_step WHERE line = ? ORDER BY position, added");
  rows.bind(1, static_cast<long long>(line));
  history::Listed listed;
  while (rows.row()) {
    if (rows.number(3) != 0)
      listed[rows.text(0)] = {rows.text(1), rows.number(2) != 0};
    else
      listed.erase(rows.text(0));
  }
  if (has_failed(store_.handle())) return fail("read the history").error();
  return std::optional<history::Listed>(std::move(listed));
}

std::vector<history::KeptMeasure> History::kept(const std::string& path, const std::string& blob) {
  std::string sql = std::string("SELECT ") + kMeasureColumns +
                    " FROM measure WHERE path = ? AND blob = ? AND analysis = ? ORDER BY id DESC";
  Statement rows(store_.handle(), sql.c_str());
  Statement classes(store_.handle(), kClassesOf);
  rows.bind(1, path);
  rows.bind(2, blob);
  rows.bind(3, analysis_);
  std::vector<history::KeptMeasure> found;
  while (found.size() < kMostCandidates && rows.row()) {
    history::KeptMeasure kept;
    if (read_measure(rows, classes, kept)) found.push_back(std::move(kept));
  }
  return found;
}

bool History::write_state(int line, const LineState& state) {
  Statement insert(store_.handle(),
                   "INSERT OR REPLACE INTO line_state (line, allowlist_file, begins, every, traits) VALUES "
                   "(?, ?, ?, ?, ?)");
  insert.bind(1, static_cast<long long>(line));
  insert.bind(2, state.allowlist_file);
  insert.bind(3, state.begins);
  insert.bind(4, std::string(history::word(state.every)));
  insert.bind(5, state.traits);
  return insert.run();
}

Status History::set_state(int line, const LineState& state) {
  states_[line] = state;
  return write_state(line, state) ? Status() : fail("write the history");
}

Status History::cut(int line, long long position, bool is_point) {
  sqlite3* handle = store_.handle();
  Transaction transaction(handle);
  if (!transaction.begun()) return fail("write the history");
  if (Status mine = check_end(line); !mine.ok()) return mine;
  Statement point(handle, "UPDATE line_commit SET point = ? WHERE line = ? AND position = ?");
  point.bind(1, static_cast<long long>(is_point));
  point.bind(2, static_cast<long long>(line));
  point.bind(3, position);
  bool done = point.run() &&
              for_each_table(handle, "DELETE FROM @ WHERE line = ? AND position > ?", {line, position});
  End end = end_of(line);
  if (!done || !transaction.commit()) return fail("write the history");
  ends_[line] = end;
  return {};
}

Status History::clear(int line) {
  sqlite3* handle = store_.handle();
  Transaction transaction(handle);
  if (!transaction.begun()) return fail("write the history");
  if (Status mine = check_end(line); !mine.ok()) return mine;
  if (!for_each_table(handle, "DELETE FROM @ WHERE line = ?", {line}) || !transaction.commit())
    return fail("write the history");
  ends_[line] = End();
  return {};
}

// The id of the measure, 0 where it could not be written.
long long History::keep_one(const std::string& path, const history::CountedFile& file,
                            const history::Census& census) {
  sqlite3* handle = store_.handle();
  std::map<std::string, std::string> needs;
  for (const std::string& need : file.needs.paths) needs[need] = census.known_blob(need);
  Statement insert(
      handle,
      "INSERT INTO measure (analysis, path, blob, needs, calls, traits, was_read, test_file, owners, "
      "outside_uses, findings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, analysis_);
  insert.bind(2, path);
  insert.bind(3, file.blob);
  insert.bind(4, text_of(needs));
  insert.bind(5, static_cast<long long>(file.needs.calls));
  insert.bind(6, census.traits());
  insert.bind(7, static_cast<long long>(file.measure->read));
  insert.bind(8, static_cast<long long>(file.measure->test_file));
  insert.bind(9, dump_json(Json(file.measure->owners), -1));
  insert.bind(10, static_cast<long long>(file.measure->outside_uses));
  insert.bind(11, text_of(file.measure->findings));
  if (!insert.run()) return 0;
  long long id = sqlite3_last_insert_rowid(handle);
  return write_classes(handle, id, file.measure->classes) ? id : 0;
}

bool History::add(int line, long long position, const history::CommitRecord& record, history::Census& census,
                  std::map<std::string, long long>& fresh) {
  sqlite3* handle = store_.handle();
  if (!write_commit(handle, line, position, analysis_, record)) return false;
  Statement version(handle,
                    "INSERT INTO version (line, position, path, measure, moved_from) VALUES (?, ?, ?, ?, ?)");
  for (const history::CensusStep& step : record.steps) {
    long long id = step.file == nullptr ? 0 : step.file->id;
    if (step.file != nullptr && id == 0) id = fresh[step.path] = keep_one(step.path, *step.file, census);
    if (step.file != nullptr && id == 0) return false;
    version.bind(1, static_cast<long long>(line));
    version.bind(2, position);
    version.bind(3, step.path);
    if (step.file == nullptr)
      version.bind_null(4);
    else
      version.bind(4, id);
    version.bind(5, step.moved_from);
    if (!version.run()) return false;
  }
  return write_allowlist(handle, line, position, record.allowlist);
}

Status History::keep(const std::vector<std::string>& paths, history::Census& census) {
  Transaction transaction(store_.handle());
  if (!transaction.begun()) return fail("write the history");
  std::map<std::string, long long> fresh;
  for (const std::string& path : paths) {
    const history::CountedFile& file = census.files().at(path);
    if (file.id != 0) continue;
    fresh[path] = keep_one(path, file, census);
    if (fresh[path] == 0) return fail("write the history");
  }
  if (!transaction.commit()) return fail("write the history");
  for (const auto& [path, id] : fresh) census.keep(path, id);
  return {};
}

Status History::append(int line, const history::CommitRecord& record, history::Census& census) {
  Transaction transaction(store_.handle());
  if (!transaction.begun()) return fail("write the history");
  if (Status mine = check_end(line); !mine.ok()) return mine;
  long long position = end_of(line).position + 1;
  std::map<std::string, long long> fresh;
  LineState& state = states_[line];
  state.traits = census.traits();
  if (!add(line, position, record, census, fresh) || !write_state(line, state) || !transaction.commit())
    return fail("write the history");
  for (const auto& [path, id] : fresh) census.keep(path, id);
  ends_[line] = {position, record.commit.hash};
  return {};
}

namespace {

// The first commit of a line has all of its files and entries, and names none that are gone. Where older
// commits stay before it, it has to.
bool tell_what_is_gone(sqlite3* handle, long long joint) {
  Statement files(
      handle,
      "INSERT INTO version (line, position, path, measure, moved_from) "
      "SELECT 0, ?1, path, NULL, '' FROM "
      "(SELECT path, measure, max(position) FROM version WHERE line = 0 AND position < ?1 GROUP BY path) "
      "WHERE measure IS NOT NULL AND path NOT IN "
      "(SELECT path FROM version WHERE line = 0 AND position = ?1)");
  files.bind(1, joint);
  Statement entries(handle,
                    "INSERT OR IGNORE INTO allowlist_step (line, position, entry, path, whole_file, added) "
                    "SELECT 0, ?1, entry, path, whole_file, 0 FROM "
                    "(SELECT entry, path, whole_file, added, max(position * 2 + added) FROM allowlist_step "
                    "WHERE line = 0 AND position < ?1 GROUP BY entry) WHERE added = 1 AND entry NOT IN "
                    "(SELECT entry FROM allowlist_step WHERE line = 0 AND position = ?1)");
  entries.bind(1, joint);
  return files.run() && entries.run();
}

}  // namespace

Status History::show_new_line(long long joint, bool gap) {
  sqlite3* handle = store_.handle();
  Transaction transaction(handle);
  if (!transaction.begun()) return fail("write the history");
  for (int line : {kShownLine, kNewLine})
    if (Status mine = check_end(line); !mine.ok()) return mine;
  Statement first(handle, "SELECT coalesce(min(position), 0) FROM line_commit WHERE line = 1");
  long long begin = first.row() ? first.number(0) : 0;
  first.reset();
  Statement mark(handle, "UPDATE line_commit SET gap_before = 1 WHERE line = 1 AND position = ?");
  mark.bind(1, begin);
  long long shift = joint == 0 ? 0 : joint - begin;
  bool done =
      (!gap || mark.run()) &&
      for_each_table(handle, "DELETE FROM @ WHERE line = 0 AND position >= ?", {joint}) &&
      for_each_table(handle, "UPDATE @ SET line = 0, position = position + ? WHERE line = 1", {shift}) &&
      (joint == 0 || tell_what_is_gone(handle, joint)) &&
      execute(handle, "DELETE FROM line_state WHERE line = 0; UPDATE line_state SET line = 0 WHERE line = 1");
  End end = end_of(kShownLine);
  if (!done || !transaction.commit()) return fail("write the history");
  ends_ = {{kShownLine, end}, {kNewLine, End()}};
  return {};
}

Status History::drop_old_measures() {
  Statement drop(store_.handle(),
                 "DELETE FROM measure WHERE analysis <> ? AND id NOT IN "
                 "(SELECT measure FROM version WHERE measure IS NOT NULL)");
  drop.bind(1, analysis_);
  return drop.run() ? Status() : fail("write the history");
}

namespace {

class TimelineReader {
 public:
  explicit TimelineReader(Store& store) : store_(store), classes_(store.handle(), kClassesOf) {}

  Status read(const std::string& fingerprint, history::Timeline& timeline) {
    read_commits(fingerprint, timeline);
    if (Status read = read_versions(timeline); !read.ok()) return read;
    read_allowlist(timeline);
    Statement state(store_.handle(), "SELECT allowlist_file, begins FROM line_state WHERE line = 0");
    if (state.row()) {
      timeline.allowlist_file = state.text(0);
      timeline.begins = state.text(1);
    }
    if (has_failed(store_.handle()))
      return database_error(store_.file(), "read the history", store_.handle());
    return {};
  }

 private:
  void read_commits(const std::string& fingerprint, history::Timeline& timeline) {
    Statement rows(
        store_.handle(),
        "SELECT position, hash, date, author, subject, point, gap_before, allowlisted, fingerprint "
        "FROM line_commit JOIN analysis ON analysis.id = analysis WHERE line = 0 ORDER BY position");
    std::string before;  // the ruler of the commit before
    while (rows.row()) {
      history::Commit commit;
      commit.hash = rows.text(1);
      commit.date = rows.text(2);
      commit.author = rows.text(3);
      commit.subject = rows.text(4);
      commit.point = rows.number(5) != 0;
      commit.gap_before = rows.number(6) != 0;
      if (!rows.is_null(7)) commit.allowlisted = rows.number(7);
      commit.other_ruler = rows.text(8) != fingerprint;
      commit.new_ruler = !timeline.commits.empty() && rows.text(8) != before;
      before = rows.text(8);
      places_[rows.number(0)] = timeline.commits.size();
      timeline.commits.push_back(std::move(commit));
    }
  }

  Status read_versions(history::Timeline& timeline) {
    if (Status read = read_measures(); !read.ok()) return read;
    Statement rows(
        store_.handle(),
        "SELECT position, path, measure, moved_from FROM version WHERE line = 0 ORDER BY position, path");
    while (rows.row()) {
      history::Version version;
      version.commit = places_[rows.number(0)];
      version.path = rows.text(1);
      if (!rows.is_null(2)) version.measure = measures_[rows.number(2)];
      version.moved_from = rows.text(3);
      timeline.versions.push_back(std::move(version));
    }
    return {};
  }

  Status read_measures() {
    std::string sql = std::string("SELECT ") + kMeasureColumns +
                      " FROM measure WHERE id IN (SELECT measure FROM version WHERE line = 0)";
    Statement rows(store_.handle(), sql.c_str());
    while (rows.row()) {
      history::KeptMeasure kept;
      if (!read_measure(rows, classes_, kept)) return broken_cell(store_, rows.text(kPathColumn));
      measures_[kept.id] = std::move(kept.measure);
    }
    return {};
  }

  void read_allowlist(history::Timeline& timeline) {
    Statement rows(store_.handle(),
                   "SELECT position, entry, path, whole_file, added FROM allowlist_step WHERE line = 0 "
                   "ORDER BY position, entry, added");
    while (rows.row())
      timeline.allowlist.push_back(
          {places_[rows.number(0)], rows.text(1), rows.text(2), rows.number(3) != 0, rows.number(4) != 0});
  }

  Store& store_;
  Statement classes_;
  std::map<long long, std::size_t> places_;  // of positions, in the timeline
  std::map<long long, history::SharedMeasure> measures_;
};

}  // namespace

Result<history::Timeline> read_timeline(Store& store, const std::string& fingerprint) {
  history::Timeline timeline;
  Status read = TimelineReader(store).read(fingerprint, timeline);
  if (!read.ok()) return read.error();
  return timeline;
}

}  // namespace hwsift::store
