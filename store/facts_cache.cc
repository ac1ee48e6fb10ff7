#include "store/facts_cache.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis_sources.h"
#include "analyzer/facts_codec.h"
#include "store/statement.h"

namespace hwsift::store {
namespace {

using analyzer::FileFacts;
using analyzer::SourcePath;

// A file may be written twice within one tick of its clock, and some clocks tick every two seconds.
constexpr std::int64_t kSettled = 2'000'000'000;

constexpr char kFindUnchanged[] =
    "SELECT contents.id, used, seal, facts, hash FROM files JOIN contents USING (hash) "
    "WHERE stamp = ?1 AND analysis = ?2";
constexpr char kFind[] = "SELECT id, used, seal, facts, hash FROM contents WHERE hash = ?1 AND analysis = ?2";
constexpr char kHashOfFile[] = "SELECT hash FROM files WHERE stamp = ?";
constexpr char kKeep[] =
    "REPLACE INTO contents (hash, analysis, used, size, seal, facts) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
constexpr char kRemember[] = "REPLACE INTO files (stamp, hash) VALUES (?1, ?2)";
constexpr char kTouch[] = "UPDATE contents SET used = ?2 WHERE id = ?1";

// The rows to keep stand first: those of analyses that are in use, then those used last.
constexpr char kPrune[] = R"(
  WITH age AS (SELECT analysis, max(used) AS last FROM contents GROUP BY analysis)
  DELETE FROM contents WHERE id IN (SELECT id FROM (
    SELECT id, sum(size) OVER (ORDER BY last DESC, analysis = ?1 DESC, used DESC, id DESC) AS so_far
    FROM contents JOIN age USING (analysis)) WHERE so_far > ?2))";

std::string_view view(const Hash& hash) { return {reinterpret_cast<const char*>(hash.data()), hash.size()}; }

long long today() { return static_cast<long long>(std::time(nullptr)) / (24LL * 60 * 60); }

Hash stamp_of(const SourcePath& file, const FileInfo& info) {
  Digest digest;
  digest.add(file.absolute);
  for (std::uint64_t number : {info.size, info.inode, info.device})
    digest.add(static_cast<long long>(number));
  for (std::int64_t time : {info.modified, info.changed}) digest.add(static_cast<long long>(time));
  return digest.hash();
}

// Over the key too: a row that stands for another content must not pass for this one.
Hash seal_of(std::string_view content, std::string_view analysis, std::string_view facts) {
  Digest digest;
  for (std::string_view part : {content, analysis, facts}) digest.add(part);
  return digest.hash();
}

// A connection for one thread at a time, which sees the cache as it was when the first question came: that
// spares each further one the locks of a transaction of its own.
struct Reader {
  explicit Reader(Handle opened)
      : handle(std::move(opened)),
        find_unchanged(handle.get(), kFindUnchanged),
        find(handle.get(), kFind),
        hash_of_file(handle.get(), kHashOfFile) {}

  void look_anew() {
    execute(handle.get(), "COMMIT");
    execute(handle.get(), "BEGIN");
  }

  Handle handle;
  Statement find_unchanged;
  Statement find;
  Statement hash_of_file;
  unsigned batches = 0;  // that had been written when it looked last
};

// Lets go of the row, and of what it points to, at the end of a scope.
class Row {
 public:
  explicit Row(Statement& statement) : statement_(statement), there_(statement.row()) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  ~Row() { statement_.reset(); }
  bool there() const { return there_; }

 private:
  Statement& statement_;
  bool there_;
};

struct Batch {
  std::unordered_map<std::string, std::string> facts;  // encoded, by hash of the content
  std::vector<std::pair<Hash, Hash>> files;            // stamp and hash of the content
  std::vector<long long> touched;                      // contents that were last used on another day
  std::size_t bytes = 0;
  bool empty() const { return facts.empty() && files.empty() && touched.empty(); }
};

}  // namespace

struct SqliteFactsCache::Impl {
  Impl(CachePlace at, const Hash& of, Complain to, const CacheOptions& how)
      : place(std::move(at)), analysis(of), complain(std::move(to)), options(how) {}

  const CachePlace place;
  const Hash analysis;
  const Complain complain;
  const CacheOptions options;

  std::once_flag opened;
  std::atomic<bool> open = false;  // neither closed nor given up
  std::atomic<bool> damaged = false;
  std::atomic<bool> writable = true;
  std::atomic<unsigned> batches = 0;  // written by this process
  std::atomic<std::size_t> unchanged = 0, same_content = 0, misses = 0, kept = 0;

  std::mutex mutex;  // of what follows; never held while facts are read, written or decoded
  std::vector<std::unique_ptr<Reader>> readers;  // that nobody uses now
  Batch waiting;
  bool finished = false;

  std::mutex writing;  // of what follows
  Handle writer;

  void start();
  void give_up(const Error& error);
  void give_up_on(sqlite3* handle, const std::string& doing);
  std::unique_ptr<Reader> borrow();
  void give_back(std::unique_ptr<Reader> reader);
  std::optional<FileFacts> look_up(Statement Reader::*question, const Hash& key);
  std::optional<FileFacts> read_row(Reader& reader, Statement& statement);
  std::string waiting_facts(const Hash& content);
  bool knows_file(const Hash& stamp, const Hash& content);
  void write(const Batch& batch, bool last);
  bool write_all(const Batch& batch);
  bool prune();
};

void SqliteFactsCache::Impl::start() {
  std::call_once(opened, [this] {
    bool mended = false;
    Status ready = prepare_cache(place, mended);
    open = ready.ok();
    if (!ready.ok()) complain(ready.error());
    if (mended && ready.ok())
      complain({place.file, "the cache was damaged: it was taken away and is made anew", ""});
  });
}

void SqliteFactsCache::Impl::give_up(const Error& error) {
  if (open.exchange(false)) complain(error);
}

// That another process writes for long is no reason to tell anybody.
void SqliteFactsCache::Impl::give_up_on(sqlite3* handle, const std::string& doing) {
  if (is_damaged(handle)) damaged = true;
  if ((sqlite3_errcode(handle) & 0xff) != SQLITE_BUSY) give_up(cache_error(place.file, doing, handle));
}

std::unique_ptr<Reader> SqliteFactsCache::Impl::borrow() {
  start();
  if (!open) return nullptr;
  std::unique_ptr<Reader> reader;
  {
    std::lock_guard lock(mutex);
    if (!readers.empty()) {
      reader = std::move(readers.back());
      readers.pop_back();
    }
  }
  unsigned now = batches;
  if (reader == nullptr) {
    Result<Handle> handle = connect_cache(place.file);
    if (!handle.ok()) return give_up(handle.error()), nullptr;
    reader = std::make_unique<Reader>(std::move(*handle));
    execute(reader->handle.get(), "BEGIN");
  } else if (reader->batches != now) {
    reader->look_anew();
  }
  reader->batches = now;
  return reader;
}

void SqliteFactsCache::Impl::give_back(std::unique_ptr<Reader> reader) {
  std::lock_guard lock(mutex);
  readers.push_back(std::move(reader));
}

std::optional<FileFacts> SqliteFactsCache::Impl::read_row(Reader& reader, Statement& statement) {
  Row row(statement);
  if (!row.there()) {
    if (has_failed(reader.handle.get())) give_up_on(reader.handle.get(), "read the cache");
    return std::nullopt;
  }
  std::string_view facts = statement.bytes(3);
  if (statement.bytes(2) != view(seal_of(statement.bytes(4), view(analysis), facts))) return std::nullopt;
  if (statement.number(1) != options.today) {
    std::lock_guard lock(mutex);
    waiting.touched.push_back(statement.number(0));
  }
  return analyzer::decode_facts(facts);
}

std::optional<FileFacts> SqliteFactsCache::Impl::look_up(Statement Reader::*question, const Hash& key) {
  std::unique_ptr<Reader> reader = borrow();
  if (reader == nullptr) return std::nullopt;
  Statement& statement = (*reader).*question;
  statement.bind_bytes(1, view(key));
  statement.bind_bytes(2, view(analysis));
  std::optional<FileFacts> facts = read_row(*reader, statement);
  give_back(std::move(reader));
  return facts;
}

// A file may be asked for twice in one run: by itself, and for what it says about another one.
std::string SqliteFactsCache::Impl::waiting_facts(const Hash& content) {
  std::lock_guard lock(mutex);
  auto found = waiting.facts.find(std::string(view(content)));
  return found == waiting.facts.end() ? "" : found->second;
}

bool SqliteFactsCache::Impl::knows_file(const Hash& stamp, const Hash& content) {
  std::unique_ptr<Reader> reader = borrow();
  if (reader == nullptr) return true;
  reader->hash_of_file.bind_bytes(1, view(stamp));
  bool known = false;
  {
    Row row(reader->hash_of_file);
    known = row.there() && reader->hash_of_file.bytes(0) == view(content);
  }
  give_back(std::move(reader));
  return known;
}

bool SqliteFactsCache::Impl::write_all(const Batch& batch) {
  Statement keep(writer.get(), kKeep);
  for (const auto& [content, facts] : batch.facts) {
    Hash seal = seal_of(content, view(analysis), facts);
    keep.bind_bytes(1, content);
    keep.bind_bytes(2, view(analysis));
    keep.bind(3, options.today);
    keep.bind(4, static_cast<long long>(facts.size()));
    keep.bind_bytes(5, view(seal));
    keep.bind_bytes(6, facts);
    if (!keep.run()) return false;
  }
  Statement remember(writer.get(), kRemember);
  for (const auto& [stamp, content] : batch.files) {
    remember.bind_bytes(1, view(stamp));
    remember.bind_bytes(2, view(content));
    if (!remember.run()) return false;
  }
  Statement touch(writer.get(), kTouch);
  for (long long id : batch.touched) {
    touch.bind(1, id);
    touch.bind(2, options.today);
    if (!touch.run()) return false;
  }
  return true;
}

// Down to three quarters, so that it is not done at each run.
bool SqliteFactsCache::Impl::prune() {
  Statement files(writer.get(), "DELETE FROM files WHERE id <= (SELECT max(id) FROM files) - ?");
  files.bind(1, options.most_files);
  if (!files.run()) return false;
  Statement total(writer.get(), "SELECT total(size) FROM contents");
  if (!total.row()) return false;
  bool fits = total.real(0) <= static_cast<double>(options.most_bytes);
  total.reset();
  if (fits) return true;
  Statement contents(writer.get(), kPrune);
  contents.bind_bytes(1, view(analysis));
  auto most = static_cast<long long>(options.most_bytes);
  contents.bind(2, most / 4 * 3);
  return contents.run() &&
         execute(writer.get(), "DELETE FROM files WHERE hash NOT IN (SELECT hash FROM contents)");
}

void SqliteFactsCache::Impl::write(const Batch& batch, bool last) {
  std::lock_guard lock(writing);
  if (!open || !writable || batch.empty()) return;
  if (writer == nullptr) {
    Result<Handle> handle = connect_cache(place.file);
    if (!handle.ok()) return give_up(handle.error());
    writer = std::move(*handle);
  }
  Transaction transaction(writer.get());
  if (transaction.begun() && write_all(batch) && (!last || prune()) && transaction.commit()) {
    kept += batch.facts.size();
    ++batches;
    return;
  }
  writable = false;
  give_up_on(writer.get(), "write to the cache");
}

Hash analysis_of(const analyzer::Lexicon& lexicon) {
  Hash words = analyzer::fingerprint_of(lexicon);
  Digest digest;
  digest.add(kAnalysisSources);
  digest.add(view(words));
  return digest.hash();
}

SqliteFactsCache::SqliteFactsCache(CachePlace place, Hash analysis, Complain complain, CacheOptions options) {
  if (options.today == 0) options.today = today();
  place.file = absolute_path(place.file);
  impl_ = std::make_unique<Impl>(std::move(place), analysis, std::move(complain), options);
}

SqliteFactsCache::~SqliteFactsCache() { finish(); }

std::optional<FileFacts> SqliteFactsCache::find_unchanged(const SourcePath& file, const FileInfo& info) {
  std::optional<FileFacts> facts = impl_->look_up(&Reader::find_unchanged, stamp_of(file, info));
  if (facts) ++impl_->unchanged;
  return facts;
}

std::optional<FileFacts> SqliteFactsCache::find(const Hash& content) {
  std::string waiting = impl_->waiting_facts(content);
  std::optional<FileFacts> facts =
      waiting.empty() ? impl_->look_up(&Reader::find, content) : analyzer::decode_facts(waiting);
  ++(facts ? impl_->same_content : impl_->misses);
  return facts;
}

void SqliteFactsCache::keep(const Hash& content, const FileFacts& facts) {
  if (!impl_->open || !impl_->writable) return;
  std::string encoded = analyzer::encode_facts(facts);
  Batch full;
  {
    std::lock_guard lock(impl_->mutex);
    Batch& waiting = impl_->waiting;
    waiting.bytes += encoded.size();
    waiting.facts.insert_or_assign(std::string(view(content)), std::move(encoded));
    if (waiting.bytes >= impl_->options.batch_bytes) full = std::exchange(waiting, {});
  }
  if (!full.empty()) impl_->write(full, false);
}

void SqliteFactsCache::remember(const SourcePath& file, const FileInfo& info, const Hash& content) {
  if (info.asked - std::max(info.modified, info.changed) < kSettled) return;
  Hash stamp = stamp_of(file, info);
  if (impl_->knows_file(stamp, content) || !impl_->writable) return;
  std::lock_guard lock(impl_->mutex);
  impl_->waiting.files.emplace_back(stamp, content);
}

void SqliteFactsCache::finish() {
  {
    std::lock_guard lock(impl_->mutex);
    if (std::exchange(impl_->finished, true)) return;
  }
  impl_->write(std::exchange(impl_->waiting, {}), true);
  impl_->open = false;
  impl_->readers.clear();
  impl_->writer.reset();
  if (impl_->damaged) remove_cache(impl_->place);
}

CacheCounts SqliteFactsCache::counts() const {
  return {impl_->unchanged, impl_->same_content, impl_->misses, impl_->kept};
}

}  // namespace hwsift::store
