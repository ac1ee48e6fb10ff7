#include <algorithm>

#include "base/text.h"
#include "cli/database.h"
#include "cli/progress.h"
#include "cli/track_run.h"
#include "history/progress.h"
#include "report/item_detail.h"
#include "report/items_report.h"
#include "store/items.h"

namespace hwsift::cli {
namespace {

using history::Item;
using history::TrackedItem;

bool equal(const std::string& a, const std::string& b) { return ascii_lower(a) == ascii_lower(b); }

// Owners may be several: "one, two", "@one".
bool is_owned_by(const Item& item, const std::string& owner) {
  if (equal(item.owner, owner)) return true;
  for (const std::string& one : split(item.owner, ',')) {
    std::string name(trim(one));
    if (equal(name, owner) || equal(name, "@" + owner) || equal("@" + name, owner)) return true;
  }
  return false;
}

bool among(const std::vector<std::string>& wanted, const std::string& word) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), word) != wanted.end();
}

bool is_wanted(const TrackOptions& options, const TrackedItem& tracked) {
  std::string mark = word(tracked.item.mark);
  return among(options.states, word(tracked.standing.state)) &&
         among(options.marks, mark.empty() ? kNone : mark) &&
         (!options.list || tracked.item.list == list_called(*options.list)) &&
         (!options.area || equal(tracked.item.area, *options.area)) &&
         (!options.owner || is_owned_by(tracked.item, *options.owner));
}

struct Opened {
  Tree tree;
  Items items;
  std::vector<report::OutputSpec> outputs;
  history::Timeline timeline;
};

int open_items(Context& context, const TrackOptions& options, const std::vector<std::string>& formats,
               Opened& opened) {
  if (int bad = parse_outputs(context, options.outputs, formats, "text", opened.outputs)) return bad;
  if (int bad = open_tree(context, opened.tree)) return bad;
  Status read = read_items_of(context, opened.tree, opened.items);
  return read.ok() ? kClean : (print_error(context, read.error()), kUsage);
}

// What takes time: left out where there is nothing to judge.
int open_timeline(Context& context, Opened& opened) {
  if (opened.items.items.empty()) return kClean;
  store::Store* store = opened.items.store ? &*opened.items.store : nullptr;
  Result<history::Timeline> timeline = current_timeline(context, opened.tree, store);
  if (!timeline.ok()) return print_error(context, timeline.error()), kUsage;
  opened.timeline = std::move(*timeline);
  return kClean;
}

std::string list_text(Context& context, const report::OutputSpec& output,
                      const std::vector<TrackedItem>& items) {
  if (output.format == "json") return report::items_json(items);
  if (output.format == "csv") return report::items_csv(items);
  std::size_t width = report::width_of(output);
  return report::items_text(items, width, context.style_for(output));
}

int list_items(Context& context, const TrackOptions& options) {
  Opened opened;
  if (int bad = open_items(context, options, {"text", "json", "csv"}, opened)) return bad;
  if (int bad = open_timeline(context, opened)) return bad;
  const std::vector<Item>& items = opened.items.items;
  std::vector<history::Standing> standings = history::standings(items, opened.timeline);
  std::vector<TrackedItem> wanted;
  for (std::size_t i = 0; i < items.size(); ++i) {
    TrackedItem tracked = history::tracked(items[i], standings[i], opened.timeline);
    if (is_wanted(options, tracked)) wanted.push_back(std::move(tracked));
  }
  bool none_fits = wanted.empty() && !items.empty();
  if (none_fits) print_note(context, "none of " + counted(items.size(), "item", "items") + " fits");
  return emit_all(context, opened.outputs, [&](const report::OutputSpec& output) {
    return none_fits && output.format == "text" ? "" : list_text(context, output, wanted);
  });
}

int show_item(Context& context, const TrackOptions& options) {
  Opened opened;
  if (int bad = open_items(context, options, {"text", "json"}, opened)) return bad;
  Result<std::size_t> at = find_item(opened.items.items, options.id);
  if (!at.ok()) return print_error(context, at.error()), kUsage;
  if (int bad = open_timeline(context, opened)) return bad;
  const Item& item = opened.items.items[*at];
  report::ItemDetail detail;
  detail.history = history::history_of(item, opened.timeline);
  detail.tracked = history::tracked(item, detail.history.standing, opened.timeline);
  for (const history::StateChange& change : detail.history.changes)
    detail.commits.push_back(opened.timeline.commits[change.commit]);
  return emit_all(context, opened.outputs, [&](const report::OutputSpec& output) {
    return output.format == "json" ? report::item_detail_json(detail)
                                   : report::item_detail_text(detail, context.style_for(output));
  });
}

Action declare_import(CLI::App& app, Context& context) {
  auto options = std::make_shared<TrackOptions>();
  app.add_option("FILE", options->file, "CSV, Markdown or JSON of a GitHub project; - is standard input")
      ->required();
  app.add_option("--format", options->format, "csv, markdown or github (default: by name, else by content)")
      ->check(CLI::IsMember({"csv", "markdown", "github"}))
      ->type_name("NAME");
  app.add_option("--list", options->list,
                 "the name of the list that the file is (default, and none: the default list)")
      ->type_name("NAME");
  app.add_flag("--prune", options->prune,
               "remove what the list names no more, unless set by hand; other lists stay as they are");
  return [&context, options] { return import_items(context, *options); };
}

Action declare_list(CLI::App& app, Context& context) {
  auto options = std::make_shared<TrackOptions>();
  std::vector<std::string> states;
  for (history::State state : history::kStates) states.emplace_back(word(state));
  app.add_option("--state", options->states, "only those in a state: " + join(states, ", ") + "; repeats")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(states))
      ->type_name("STATE");
  app.add_option("--mark", options->marks, "only those with a mark: blocked, wont_do, none; repeats")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"blocked", "wont_do", kNone}))
      ->type_name("MARK");
  app.add_option("--list", options->list, "only those of a list; none is the default list")
      ->type_name("NAME");
  app.add_option("--area", options->area, "only those of an area")->type_name("NAME");
  app.add_option("--owner", options->owner, "only those of an owner")->type_name("NAME");
  add_output_option(app, options->outputs, "text, json or csv");
  return [&context, options] { return list_items(context, *options); };
}

Action declare_show(CLI::App& app, Context& context) {
  auto options = std::make_shared<TrackOptions>();
  app.add_option("ID", options->id, "of the item; 12 also means #12")->required();
  add_output_option(app, options->outputs, "text or json");
  return [&context, options] { return show_item(context, *options); };
}

Action declare_set(CLI::App& app, Context& context) {
  auto options = std::make_shared<TrackOptions>();
  app.add_option("ID", options->id, "of the item; 12 also means #12")->required();
  app.add_option("--mark", options->mark, "blocked, wont_do, or none to take it back")
      ->check(CLI::IsMember({"blocked", "wont_do", kNone}))
      ->type_name("MARK");
  app.add_option("--reason", options->reason, "why it has the mark")->type_name("TEXT");
  app.add_option("--note", options->note, "a note; none takes it back")->type_name("TEXT");
  app.add_option("--owner", options->owner, "over what the list says; none takes it back")->type_name("NAME");
  app.add_option("--area", options->area, "over what the list says; none takes it back")->type_name("NAME");
  return [&context, options] { return set_item(context, *options); };
}

constexpr Command kParts[] = {
    {"import", "take over a list of items; what was set by hand stays", declare_import},
    {"list", "the items and their states", declare_list},
    {"show", "one item: its parts, classes, history and links", declare_show},
    {"set", "mark an item; no mark changes its state", declare_set},
};

}  // namespace

Status read_items_of(Context& context, const Tree& tree, Items& items) {
  Result<std::optional<store::Store>> database = open_history(context, tree.root);
  if (!database.ok()) return database.error();
  items.store = std::move(*database);
  if (!items.store) return {};
  Result<std::vector<Item>> read = store::read_items(*items.store);
  if (!read.ok()) return read.error();
  items.items = std::move(*read);
  return {};
}

Result<std::size_t> find_item(const std::vector<Item>& items, const std::string& id) {
  std::vector<std::string> ids;
  std::vector<std::size_t> meant;
  std::string ending = id.starts_with('#') ? id : "#" + id;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].id == id) return i;
    if (items[i].id.ends_with(ending)) meant.push_back(i);
    ids.push_back(items[i].id);
  }
  if (meant.size() == 1) return meant.front();
  if (meant.size() > 1)
    return Error{id, "may be " + items[meant[0]].id + " or " + items[meant[1]].id, "write all of the id"};
  if (items.empty()) return Error{id, "no items are tracked", "'hwsift track import FILE' brings them"};
  std::optional<std::string> near = closest(id, ids);
  return Error{id, "no such item", near ? "did you mean '" + *near + "'?" : "'hwsift track list' shows them"};
}

std::string list_called(const std::string& name) {
  std::string_view list = trim(name);
  return list == kNone ? "" : std::string(list);
}

Action declare_track(CLI::App& app, Context& context) { return declare_parts(app, context, kParts); }

}  // namespace hwsift::cli
