#include "cli/run_documents.h"

#include <deque>

#include "base/text.h"
#include "runner/run_document.h"

namespace hwsift::cli {
namespace {

constexpr std::size_t kMaxListBytes = 64u << 20;

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

}  // namespace

Result<std::vector<std::string>> find_run_documents(Disk& disk, const std::vector<std::string>& arguments) {
  std::vector<std::string> named;
  for (const std::string& one : arguments) {
    if (!one.starts_with('@')) {
      named.push_back(one);
    } else if (Status listed = add_list(disk, one.substr(1), named); !listed.ok()) {
      return listed.error();
    }
  }
  std::vector<std::string> files;
  for (const std::string& one : named) {
    Result<FileInfo> info = disk.info(one);
    if (info.ok() && info->kind == FileInfo::Kind::directory) {
      std::size_t before = files.size();
      if (Status listed = add_folder(disk, one, files); !listed.ok()) return listed.error();
      if (files.size() == before) return Error{one, "holds no .json file", "name documents of runs"};
    } else {
      files.push_back(one);
    }
  }
  return files;
}

int read_run_documents(Context& context, const std::vector<std::string>& files,
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

}  // namespace hwsift::cli
