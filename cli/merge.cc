#include "runner/merge.h"

#include <deque>

#include "base/text.h"
#include "cli/run_output.h"
#include "report/run.h"
#include "runner/run_document.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxListBytes = 64u << 20;

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> outputs;
};

// The .json files of a folder and of those below it; what a link leads to is left out, and hidden files.
Status add_folder(Disk& disk, const std::string& folder, std::vector<std::string>& files) {
  std::deque<std::string> open{folder};
  while (!open.empty()) {
    std::string here = open.front();
    open.pop_front();
    Result<std::vector<std::string>> names = disk.list(here);
    if (!names.ok()) return names.error();
    for (const std::string& name : *names) {
      std::string path = join_path(here, name);
      Result<FileInfo> info = disk.info(path);
      if (!info.ok() || name.front() == '.') continue;
      if (info->kind == FileInfo::Kind::directory && !info->link) open.push_back(path);
      if (info->kind == FileInfo::Kind::file && name.ends_with(".json")) files.push_back(path);
    }
  }
  return {};
}

Status add_list(Disk& disk, const std::string& list, std::vector<std::string>& files) {
  Result<std::string> text = disk.read(list, kMaxListBytes);
  if (!text.ok()) return text.error();
  for (const std::string& line : split(*text, '\n'))
    if (std::string_view name = trim(line); !name.empty()) files.emplace_back(name);
  return {};
}

// The documents that the arguments name.
Status find_documents(Disk& disk, const std::vector<std::string>& given, std::vector<std::string>& files) {
  std::vector<std::string> named;
  for (const std::string& one : given) {
    if (!one.starts_with('@')) {
      named.push_back(one);
    } else if (Status listed = add_list(disk, one.substr(1), named); !listed.ok()) {
      return listed;
    }
  }
  for (const std::string& one : named) {
    Result<FileInfo> info = disk.info(one);
    if (info.ok() && info->kind == FileInfo::Kind::directory) {
      std::size_t before = files.size();
      if (Status listed = add_folder(disk, one, files); !listed.ok()) return listed;
      if (files.size() == before) return Error{one, "holds no .json file", "name documents of runs"};
    } else {
      files.push_back(one);
    }
  }
  return {};
}

int read_documents(Context& context, const std::vector<std::string>& files,
                   std::vector<runner::NamedRecord>& records) {
  Stage stage(context.stopwatch, "read");
  int code = kClean;
  for (const std::string& file : files) {
    Result<runner::RunRecord> record = runner::read_run_document(context.disk, file);
    if (record.ok())
      records.push_back({file, std::move(*record)});
    else
      print_error(context, record.error()), code = kUsage;
  }
  return code;
}

int merge(Context& context, const Options& options) {
  std::vector<report::OutputSpec> outputs;
  if (int bad = parse_outputs(context, options.outputs, run_formats(), "text", outputs)) return bad;
  std::vector<std::string> files;
  if (Status found = find_documents(context.disk, options.files, files); !found.ok())
    return print_error(context, found.error()), kUsage;
  std::vector<runner::NamedRecord> records;
  if (int bad = read_documents(context, files, records)) return bad;
  Result<runner::RunRecord> merged = runner::merge(std::move(records));
  if (!merged.ok()) return print_error(context, merged.error()), kUsage;
  bool one = merged->missing_shards.size() == 1;
  if (!merged->missing_shards.empty())
    print_error(context, {"merge", report::missing_shards_text(*merged),
                          one ? "run it and merge once more" : "run them and merge once more"});
  return publish(context, outputs, *merged);
}

}  // namespace

Action declare_merge(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  app.add_option(
         "FILE", options->files,
         "documents of runs, as -o json wrote them, or folders of them; @FILE reads names from a file")
      ->required();
  add_output_option(app, options->outputs, join(run_formats(), ", "));
  return [&context, options] { return merge(context, *options); };
}

}  // namespace hwsift::cli
