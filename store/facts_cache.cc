#include "store/facts_cache.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
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

// Uses are noted to the hour, so that a run writes next to nothing where it finds all it needs.
constexpr long long kHour = 3600;  // seconds
constexpr int kShortWait = 20;     // milliseconds that a thread waits for another process to write
constexpr int kLastWait = 500;     // the same at the end of a run

constexpr char kFindUnchanged[] =
    "SELECT contents.hash, used, facts.seal, facts, files.seal FROM files "
    "JOIN contents ON contents.hash = files.hash AND analysis = ?2 JOIN facts ON facts.id = contents.id "
    "WHERE stamp = ?1";
constexpr char kFind[] =
    "SELECT hash, used, seal, facts FROM contents JOIN facts USING (id) WHERE hash = ?1 AND analysis = ?2";
constexpr char kContentOfFile[] = "SELECT hash, seal FROM files WHERE stamp = ?";
constexpr char kDropFacts[] =
    "DELETE FROM facts WHERE id = (SELECT id FROM contents WHERE hash = ?1 AND analysis = ?2)";
constexpr char kKeepFacts[] = "INSERT INTO facts (seal, facts) VALUES (?1, ?2)";
constexpr char kKeep[] =
    "REPLACE INTO contents (hash, analysis, id, used, size) VALUES (?1, ?2, last_insert_rowid(), ?3, ?4)";
constexpr char kRemember[] = "REPLACE INTO files (stamp, hash, seal) VALUES (?1, ?2, ?3)";
constexpr char kTouch[] = "UPDATE contents SET used = ?3 WHERE hash = ?1 AND analysis = ?2";

// Of what was used longest ago, so much that no more bytes of facts than so many stay.
constexpr char kOldest[] =
    "(SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY used DESC, id DESC) AS so_far FROM contents) "
    "WHERE so_far > ?1)";

std::string_view view(const Hash& hash) { return {reinterpret_cast<const char*>(hash.data()), hash.size()}; }

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

Hash seal_of_file(std::string_view stamp, std::string_view content) {
  return hash_of(std::string(stamp).append(content));
}

// A connection for one thread at a time, which sees the cache as it was when the first question came: that
// spares each further one the locks of a transaction of its own.
struct Reader {
  explicit Reader(Handle opened)
      : handle(std::move(opened)),
        find_unchanged(handle.get(), kFindUnchanged),
        find(handle.get(), kFind),
        content_of_file(handle.get(), kContentOfFile) {}

  void look_anew() {
    execute(handle.get(), "COMMIT");
    execute(handle.get(), "BEGIN");
  }

  Handle handle;
  Statement find_unchanged;
  Statement find;
  Statement content_of_file;
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
  std::unordered_map<Hash, std::string, FirstBytes> facts;  // encoded, by content
  std::vector<std::pair<Hash, Hash>> files;                 // stamp and content
  std::vector<Hash> touched;                                // contents that were last used some time ago
  std::size_t bytes = 0;  // of facts that came since it was tried last to write them
  bool empty() const { return facts.empty() && files.empty() && touched.empty(); }
};

// What came since stays where both know a content; it is the same.
void put_back(Batch& waiting, Batch& batch) {
  waiting.facts.merge(batch.facts);
  waiting.files.insert(waiting.files.end(), batch.files.begin(), batch.files.end());
  waiting.touched.insert(waiting.touched.end(), batch.touched.begin(), batch.touched.end());
}

using Clock = std::chrono::steady_clock;

}  // namespace

struct SqliteFactsCache::Impl {
  Impl(CachePlace at, const Hash& of, Complain to, const CacheOptions& how)
      : place(std::move(at)), analysis(of), complain(std::move(to)), options(how) {}

  const CachePlace place;
  const Hash analysis;
  const Complain complain;
  const CacheOptions options;

  std::once_flag opened;
  CacheAccess access = CacheAccess::write;
  std::atomic<bool> reads = false;    // it can answer
  std::atomic<bool> keeps = false;    // what is new is for the next run
  std::atomic<bool> damaged = false;  // and is replaced at the end
  std::atomic<bool> told = false;     // what is wrong
  std::atomic<unsigned> batches = 0;  // written by this process
  std::atomic<std::size_t> kept = 0;
  CacheTally tally;

  std::mutex mutex;  // of what follows; never held while facts are read, written or decoded
  std::vector<std::unique_ptr<Reader>> readers;  // that nobody uses now
  Batch waiting;
  Clock::time_point written = Clock::now();
  bool finished = false;

  std::mutex writing;  // of what follows
  Handle writer;

  void start();
  void complain_once(const Error& error);
  void fail(const Error& error);
  void fail(sqlite3* handle, const std::string& doing);
  std::unique_ptr<Reader> new_reader();
  std::unique_ptr<Reader> borrow();
  void give_back(std::unique_ptr<Reader> reader);
  std::optional<FileFacts> look_up(Statement Reader::*question, const Hash& key, Hash& content);
  std::optional<FileFacts> read_row(Reader& reader, Statement& statement, const Hash& key, Hash& content);
  void note_use(const Hash& content, long long used);
  std::string waiting_facts(const Hash& content);
  bool knows_file(const Hash& stamp, const Hash& content);
  bool is_due() const;
  void write_what_waits(int wait);
  void write(Batch& batch, int wait);
  bool open_writer();
  bool write_all(const Batch& batch);
  bool prune();
  void shrink();
  void close();
  void replace();
};

void SqliteFactsCache::Impl::start() {
  std::call_once(opened, [this] {
    bool mended = false;
    Result<CacheAccess> ready = prepare_cache(place, mended);
    if (!ready.ok()) return complain_once(ready.error());
    if (mended) complain_once({place.file, "the cache was damaged: it was taken away and is made anew", ""});
    access = *ready;
    reads = true;
    keeps = access == CacheAccess::write;
  });
}

void SqliteFactsCache::Impl::complain_once(const Error& error) {
  if (!told.exchange(true)) complain(error);
}

void SqliteFactsCache::Impl::fail(const Error& error) {
  reads = keeps = false;
  complain_once(error);
}

// What is new goes on being kept for the file that replaces a damaged one.
void SqliteFactsCache::Impl::fail(sqlite3* handle, const std::string& doing) {
  if (!is_damaged(handle) || !may_remove_cache(place)) return fail(cache_error(place.file, doing, handle));
  reads = false;
  keeps = damaged = true;
}

std::unique_ptr<Reader> SqliteFactsCache::Impl::new_reader() {
  Result<Handle> handle = connect_cache(place.file, access);
  if (!handle.ok()) return fail(handle.error()), nullptr;
  auto reader = std::make_unique<Reader>(std::move(*handle));
  execute(reader->handle.get(), "BEGIN");
  return reader;
}

std::unique_ptr<Reader> SqliteFactsCache::Impl::borrow() {
  start();
  if (!reads) return nullptr;
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
    reader = new_reader();
    if (reader == nullptr) return nullptr;
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

void SqliteFactsCache::Impl::note_use(const Hash& content, long long used) {
  if (!keeps || std::abs(options.now - used) < kHour) return;
  std::lock_guard lock(mutex);
  waiting.touched.push_back(content);
}

std::optional<FileFacts> SqliteFactsCache::Impl::read_row(Reader& reader, Statement& statement,
                                                          const Hash& key, Hash& content) {
  Row row(statement);
  if (!row.there()) {
    if (has_failed(reader.handle.get())) fail(reader.handle.get(), "read the cache");
    return std::nullopt;
  }
  std::string_view found = statement.bytes(0);
  std::string_view facts = statement.bytes(3);
  if (found.size() != content.size() || statement.bytes(2) != view(seal_of(found, view(analysis), facts)))
    return std::nullopt;
  bool by_file = &statement == &reader.find_unchanged;
  if (by_file ? statement.bytes(4) != view(seal_of_file(view(key), found)) : found != view(key))
    return std::nullopt;
  std::copy(found.begin(), found.end(), content.begin());
  note_use(content, statement.number(1));
  return analyzer::decode_facts(facts);
}

std::optional<FileFacts> SqliteFactsCache::Impl::look_up(Statement Reader::*question, const Hash& key,
                                                         Hash& content) {
  std::unique_ptr<Reader> reader = borrow();
  if (reader == nullptr) return std::nullopt;
  Statement& statement = (*reader).*question;
  statement.bind_bytes(1, view(key));
  statement.bind_bytes(2, view(analysis));
  std::optional<FileFacts> facts = read_row(*reader, statement, key, content);
  give_back(std::move(reader));
  return facts;
}

// A file may be asked for twice in one run: by itself, and for what it says about another one.
std::string SqliteFactsCache::Impl::waiting_facts(const Hash& content) {
  std::lock_guard lock(mutex);
  auto found = waiting.facts.find(content);
  return found == waiting.facts.end() ? "" : found->second;
}

bool SqliteFactsCache::Impl::knows_file(const Hash& stamp, const Hash& content) {
  std::unique_ptr<Reader> reader = borrow();
  if (reader == nullptr) return false;
  Statement& statement = reader->content_of_file;
  statement.bind_bytes(1, view(stamp));
  bool known = false;
  {
    Row row(statement);
    known = row.there() && statement.bytes(0) == view(content) &&
            statement.bytes(1) == view(seal_of_file(view(stamp), view(content)));
  }
  give_back(std::move(reader));
  return known;
}

bool SqliteFactsCache::Impl::write_all(const Batch& batch) {
  Statement drop(writer.get(), kDropFacts);
  Statement keep_facts(writer.get(), kKeepFacts);
  Statement keep_content(writer.get(), kKeep);
  for (const auto& [content, facts] : batch.facts) {
    Hash seal = seal_of(view(content), view(analysis), facts);
    keep_facts.bind_bytes(1, view(seal));
    keep_facts.bind_bytes(2, facts);
    for (Statement* statement : {&drop, &keep_content}) {
      statement->bind_bytes(1, view(content));
      statement->bind_bytes(2, view(analysis));
    }
    keep_content.bind(3, options.now);
    keep_content.bind(4, static_cast<long long>(facts.size()));
    if (!drop.run() || !keep_facts.run() || !keep_content.run()) return false;
  }
  Statement remember(writer.get(), kRemember);
  for (const auto& [stamp, content] : batch.files) {
    Hash seal = seal_of_file(view(stamp), view(content));
    remember.bind_bytes(1, view(stamp));
    remember.bind_bytes(2, view(content));
    remember.bind_bytes(3, view(seal));
    if (!remember.run()) return false;
  }
  Statement touch(writer.get(), kTouch);
  for (const Hash& content : batch.touched) {
    touch.bind_bytes(1, view(content));
    touch.bind_bytes(2, view(analysis));
    touch.bind(3, options.now);
    if (!touch.run()) return false;
  }
  return true;
}

// Down to three quarters, so that it is not done at each run. What facts take in the file is more than their
// size.
bool SqliteFactsCache::Impl::prune() {
  Statement files(writer.get(), "DELETE FROM files WHERE id <= (SELECT max(id) FROM files) - ?");
  files.bind(1, options.most_files);
  if (!files.run()) return false;
  CacheRoom room = room_of(writer.get());
  if (room.used < 0 || room.used > room.all) return false;  // its header is damaged
  if (room.used <= options.most_bytes) return true;
  Statement total(writer.get(), "SELECT total(size) FROM contents");
  if (!total.row()) return false;
  double share = 0.75 * static_cast<double>(options.most_bytes) / static_cast<double>(room.used);
  auto stay = static_cast<long long>(total.real(0) * share);
  total.reset();
  for (const char* table : {"facts", "contents"}) {
    Statement drop(writer.get(), (std::string("DELETE FROM ") + table + " WHERE id IN " + kOldest).c_str());
    drop.bind(1, stay);
    if (!drop.run()) return false;
  }
  return execute(writer.get(), "DELETE FROM files WHERE hash NOT IN (SELECT hash FROM contents)");
}

// In steps, so that nobody waits for long and the log does not grow.
void SqliteFactsCache::Impl::shrink() {
  if (writer == nullptr || !keeps) return;
  CacheRoom room = room_of(writer.get());
  if (room.all - room.used < room.all / 8) return;
  for (long long left = room.all + 1; room.all < left; room = room_of(writer.get())) {
    left = room.all;
    if (!execute(writer.get(), "PRAGMA incremental_vacuum(256)")) return;
  }
}

bool SqliteFactsCache::Impl::open_writer() {
  if (writer != nullptr) return true;
  Result<Handle> handle = connect_cache(place.file);
  if (!handle.ok()) return fail(handle.error()), false;
  writer = std::move(*handle);
  return true;
}

// A batch that could not be written is left as it was.
void SqliteFactsCache::Impl::write(Batch& batch, int wait) {
  if (!keeps || damaged || batch.empty() || !open_writer()) return;
  sqlite3_busy_timeout(writer.get(), wait);
  Transaction transaction(writer.get());
  if (transaction.begun() && write_all(batch) && prune() && transaction.commit()) {
    kept += batch.facts.size();
    ++batches;
    batch = {};
  } else if (!is_busy(writer.get()) || wait == kLastWait) {
    fail(writer.get(), "write to the cache");
  }
}

// Where somebody writes already, the next one comes soon.
void SqliteFactsCache::Impl::write_what_waits(int wait) {
  std::unique_lock lock(writing, std::try_to_lock);
  if (!lock.owns_lock()) return;
  Batch batch;
  {
    std::lock_guard held(mutex);
    batch = std::exchange(waiting, {});
    written = Clock::now();
  }
  write(batch, wait);
  std::lock_guard held(mutex);
  if (!batch.empty()) put_back(waiting, batch);
}

bool SqliteFactsCache::Impl::is_due() const {
  if (damaged) return false;
  Clock::duration since = Clock::now() - written;
  return since >= options.batch_time || waiting.bytes >= options.batch_bytes;
}

void SqliteFactsCache::Impl::close() {
  readers.clear();
  writer.reset();
}

void SqliteFactsCache::Impl::replace() {
  bool removed = remove_cache(place);
  complain_once({place.file,
                 removed ? "the cache was damaged: it was taken away and is made anew"
                         : "the cache is damaged, and cannot be taken away",
                 removed ? "" : "move it away, or work without it: --no-cache"});
  bool mended = false;
  if (!removed || !prepare_cache(place, mended).ok()) return;
  damaged = false;
  kept = 0;
  write_what_waits(kLastWait);
  close();
}

Hash analysis_of(const analyzer::Lexicon& lexicon) {
  Hash words = analyzer::fingerprint_of(lexicon);
  Digest digest;
  digest.add(kAnalysisSources);
  digest.add(view(words));
  return digest.hash();
}

SqliteFactsCache::SqliteFactsCache(CachePlace place, Hash analysis, Complain complain, CacheOptions options) {
  if (options.now == 0) options.now = static_cast<long long>(std::time(nullptr));
  place.file = absolute_path(place.file);
  impl_ = std::make_unique<Impl>(std::move(place), analysis, std::move(complain), options);
}

SqliteFactsCache::~SqliteFactsCache() { finish(); }

std::optional<FileFacts> SqliteFactsCache::find_unchanged(const SourcePath& file, const FileInfo& info) {
  Hash content{};
  std::optional<FileFacts> facts = impl_->look_up(&Reader::find_unchanged, stamp_of(file, info), content);
  if (facts) impl_->tally.seen(file.absolute, content, true);
  return facts;
}

std::optional<FileFacts> SqliteFactsCache::find(const Hash& content) {
  std::string waiting = impl_->waiting_facts(content);
  Hash same{};
  return waiting.empty() ? impl_->look_up(&Reader::find, content, same) : analyzer::decode_facts(waiting);
}

void SqliteFactsCache::keep(const Hash& content, const FileFacts& facts) {
  impl_->start();
  if (!impl_->tally.analysed(content) || !impl_->keeps) return;
  std::string encoded = analyzer::encode_facts(facts);
  {
    std::lock_guard lock(impl_->mutex);
    Batch& waiting = impl_->waiting;
    waiting.bytes += encoded.size();
    waiting.facts.insert_or_assign(content, std::move(encoded));
    if (!impl_->is_due()) return;
  }
  impl_->write_what_waits(kShortWait);
}

void SqliteFactsCache::remember(const SourcePath& file, const FileInfo& info, const Hash& content) {
  bool settled = info.asked - std::max(info.modified, info.changed) >= kSettled;
  Hash stamp = settled ? stamp_of(file, info) : Hash{};
  bool known = settled && impl_->knows_file(stamp, content);
  impl_->tally.seen(file.absolute, content, known);
  if (!settled || known || !impl_->keeps) return;
  std::lock_guard lock(impl_->mutex);
  impl_->waiting.files.emplace_back(stamp, content);
}

void SqliteFactsCache::finish() {
  {
    std::lock_guard lock(impl_->mutex);
    if (std::exchange(impl_->finished, true)) return;
  }
  impl_->write_what_waits(kLastWait);
  impl_->shrink();
  impl_->close();
  if (impl_->damaged) impl_->replace();
  impl_->reads = impl_->keeps = false;
}

CacheCounts SqliteFactsCache::counts() const {
  CacheCounts counts = impl_->tally.counts();
  counts.kept = impl_->kept;
  counts.read_only = impl_->access != CacheAccess::write;
  return counts;
}

}  // namespace hwsift::store
