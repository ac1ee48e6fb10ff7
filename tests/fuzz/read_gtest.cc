// Any bytes as what a gtest binary prints: each test starts and ends at most once and in that order, texts
// are bounded, and where the bytes are cut does not matter. The same bytes as a list of tests: names with two
// parts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "base/text.h"
#include "runner/gtest_list.h"
#include "runner/gtest_output.h"

namespace {

using namespace hwsift::runner;

const std::map<std::string, std::string> kExpected{{"S.A", "S::A"}, {"S.B", "S::B"}, {"T/0.A", "T::A[0]"}};

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<JournalEvent> read_in_pieces(const std::string& bytes, std::size_t size) {
  GtestReader reader(kExpected);
  std::vector<JournalEvent> events;
  for (std::size_t at = 0; at < bytes.size(); at += size)
    for (JournalEvent& event : reader.read(std::string_view(bytes).substr(at, size)))
      events.push_back(std::move(event));
  for (JournalEvent& event : reader.end()) events.push_back(std::move(event));
  require(reader.running() || reader.ended() <= kExpected.size());
  return events;
}

void check_order(const std::vector<JournalEvent>& events) {
  std::set<std::string> started;
  std::string running;
  for (const JournalEvent& event : events) {
    if (event.kind == JournalEvent::Kind::start) {
      require(running.empty() && started.insert(event.within).second);
      running = event.within;
    } else if (event.kind == JournalEvent::Kind::end) {
      require(running == event.within);
      running.clear();
      require(event.message.size() + event.details.size() + event.output.size() < 100000);
      for (const std::string& text : {event.message, event.details, event.output})
        require(!hwsift::invalid_utf8_at(text));
    }
  }
}

void check_same(const std::vector<JournalEvent>& a, const std::vector<JournalEvent>& b) {
  require(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    require(a[i].kind == b[i].kind && a[i].within == b[i].within && a[i].outcome == b[i].outcome &&
            a[i].message == b[i].message && a[i].details == b[i].details && a[i].output == b[i].output);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  std::vector<JournalEvent> whole = read_in_pieces(bytes, bytes.size() + 1);
  check_order(whole);
  check_same(whole, read_in_pieces(bytes, 1));
  check_same(whole, read_in_pieces(bytes, 7));
  for (const GtestName& test : parse_gtest_list(bytes)) {
    require(!test.suite.empty() && !test.name.empty());
    base_of(test);
  }
  return 0;
}
