#include "analyzer/cxx/scan.h"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include "analyzer/cxx/analyze.h"
#include "analyzer/cxx/wire.h"
#include "base/text.h"

namespace hwsift::analyzer::cxx {
namespace {

// A command line holds so many bytes of paths, well below the limit of any system.
constexpr std::size_t kMostPathBytes = 64u << 10;

FileFacts unread(const SourcePath& file, const std::string& message) {
  FileFacts facts;
  facts.path = file.path;
  facts.language = "cpp";
  facts.parse = {false, false, {{0, 0, message}}};
  return facts;
}

class Scanner {
 public:
  Scanner(Processes& processes, const std::vector<SourcePath>& files, const CxxLexicon& lexicon,
          const CxxScanOptions& options)
      : processes_(processes), files_(files), lexicon_(lexicon), options_(options) {}

  std::vector<FileFacts> run() {
    while (facts_.size() < files_.size() && read_batch()) continue;
    for (std::size_t i = facts_.size(); i < files_.size(); ++i) facts_.push_back(unread(files_[i], failure_));
    return std::move(facts_);
  }

 private:
  // As many files as one command takes; false where no other will do better.
  bool read_batch() {
    if (options_.helper.empty()) {
      failure_ = "C++ files are read by hwsift-cxx, which is not installed (install it beside hwsift)";
      return false;
    }
    std::size_t end = end_of_batch();
    double seconds = (options_.seconds + 1.0) * static_cast<double>(end - facts_.size());
    Result<Finished> finished = run_to_end(processes_, command(end), seconds);
    if (!finished.ok()) return failure_ = to_string(finished.error()), false;
    std::size_t before = facts_.size();
    if (!read_lines(finished->captured, end)) return false;
    if (facts_.size() == end) return true;
    return blame(*finished, before);
  }

  std::size_t end_of_batch() const {
    std::size_t bytes = 0;
    std::size_t end = facts_.size();
    while (end < files_.size() &&
           (end == facts_.size() || bytes + files_[end].absolute.size() < kMostPathBytes))
      bytes += files_[end++].absolute.size() + 1;
    return end;
  }

  ProcessSpec command(std::size_t end) const {
    ProcessSpec spec;
    spec.command = {options_.helper, "--seconds", std::to_string(options_.seconds), "--megabytes",
                    std::to_string(options_.megabytes)};
    for (const std::string& macro : lexicon_.macros) spec.command.push_back("-D" + macro);
    spec.command.emplace_back("--");
    for (std::size_t i = facts_.size(); i < end; ++i) spec.command.push_back(files_[i].absolute);
    spec.capture = true;
    return spec;
  }

  bool read_lines(const std::string& output, std::size_t end) {
    for (std::string_view rest = output; facts_.size() < end;) {
      std::size_t feed = rest.find('\n');
      if (feed == std::string_view::npos) return true;
      Result<LexedLine> lexed = from_line(std::string(rest.substr(0, feed)));
      if (!lexed.ok()) return failure_ = to_string(lexed.error()), false;
      rest.remove_prefix(feed + 1);
      facts_.push_back(analyze(files_[facts_.size()].path, lexed->file, lexicon_));
    }
    return true;
  }

  // The first file without a line is the one that ended the helper.
  bool blame(const Finished& finished, std::size_t before) {
    if (finished.ending.signal == 0 && facts_.size() == before) {
      std::string said(trim(finished.output));
      failure_ = options_.helper + " ended with " + finished.ending.text() +
                 (said.empty() ? "" : ": " + said) + " (install hwsift-cxx of the same version as hwsift)";
      return false;
    }
    std::string how = "hwsift-cxx ended with " + finished.ending.text() + " on it";
    if (finished.ending.signal == SIGALRM)
      how = "takes longer than " + std::to_string(options_.seconds) + " s to read";
    facts_.push_back(unread(files_[facts_.size()], how + " (name it under exclude in hwsift.yaml)"));
    return true;
  }

  Processes& processes_;
  const std::vector<SourcePath>& files_;
  const CxxLexicon& lexicon_;
  const CxxScanOptions& options_;
  std::vector<FileFacts> facts_;
  std::string failure_;
};

}  // namespace

std::vector<FileFacts> scan(Processes& processes, const std::vector<SourcePath>& files, const CxxLexicon& lexicon,
                            const CxxScanOptions& options) {
  return Scanner(processes, files, lexicon, options).run();
}

}  // namespace hwsift::analyzer::cxx
