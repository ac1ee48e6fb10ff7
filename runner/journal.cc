#include "runner/journal.h"

#include "base/json.h"

namespace hwsift::runner {
namespace {

// Reads fields of one JSON object; what is missing or of another type is the default. The plugin is ours, but
// a test may write to its descriptor.
std::string text(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double number(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

const Json& list(const Json& object, const char* key) {
  static const Json none = Json::array();
  auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : none;
}

CollectedTest read_item(const Json& object) {
  CollectedTest item{text(object, "id"), text(object, "name"), {}, text(object, "device")};
  for (const Json& cls : list(object, "classes"))
    if (cls.is_string()) item.classes.push_back(cls.get<std::string>());
  return item;
}

CollectProblem read_problem(const Json& object) {
  Outcome outcome = outcome_of(text(object, "outcome")).value_or(Outcome::error);
  return {text(object, "id"), outcome, text(object, "message"), text(object, "details")};
}

void read_hello(const Json& object, JournalEvent& event) {
  for (const char* key : {"executable", "python", "pytest", "torch"})
    if (std::string value = text(object, key); !value.empty()) event.environment[key] = value;
}

void read_collected(const Json& object, JournalEvent& event) {
  for (const Json& item : list(object, "items")) event.items.push_back(read_item(item));
  for (const Json& item : list(object, "deselected")) event.deselected.push_back(read_item(item));
  for (const Json& problem : list(object, "problems")) event.problems.push_back(read_problem(problem));
}

void read_end(const Json& object, JournalEvent& event) {
  event.outcome = outcome_of(text(object, "outcome")).value_or(Outcome::error);
  double seconds = number(object, "seconds");
  event.seconds = seconds >= 0 && seconds < 1e9 ? seconds : 0;
  event.message = text(object, "message");
  event.details = text(object, "details");
  event.output = text(object, "output");
}

}  // namespace

Result<JournalEvent> parse_event(std::string_view line) {
  Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return Error{"journal", "not a JSON object", ""};
  JournalEvent event;
  event.within = text(object, "id");
  std::string kind = text(object, "event");
  if (kind == "hello") {
    read_hello(object, event);
  } else if (kind == "collected") {
    event.kind = JournalEvent::Kind::collected;
    read_collected(object, event);
  } else if (kind == "start") {
    event.kind = JournalEvent::Kind::start;
  } else if (kind == "end") {
    event.kind = JournalEvent::Kind::end;
    read_end(object, event);
  } else if (kind == "finish") {
    event.kind = JournalEvent::Kind::finish;
  } else {
    return Error{"journal", "unknown event '" + kind + "'", ""};
  }
  return event;
}

std::string answer(const std::vector<std::size_t>& run) { return Json{{"run", run}}.dump(); }

}  // namespace hwsift::runner
