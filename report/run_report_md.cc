#include <fmt/format.h>

#include "base/text.h"
#include "report/markdown.h"
#include "report/run_report.h"
#include "report/run_report_tables.h"

namespace hwsift::report {
namespace {

constexpr ReportLimits kLimits = {30, 20, 20, 200};
constexpr std::size_t kTableBytes = 3500;
constexpr std::size_t kDifferenceBytes = 14000;  // what a reader comes for
constexpr std::size_t kRest = 2000;              // for the line that names what is left out
constexpr std::size_t kTextBytes = 300;          // of a name or a line, before it is escaped
constexpr std::size_t kNotes = 20;

std::string shown(const ReportCell& cell) {
  if (cell.number) return fmt::format("{}", *cell.number);
  return cell.id ? markdown_cell_code(cell.text, kTextBytes) : markdown_text(cell.text, kTextBytes);
}

std::string header(const ReportTable& table) {
  std::string names, rules;
  for (const ReportColumn& column : table.columns) {
    names += "| " + markdown_text(column.title, kTextBytes) + " ";
    rules += column.right ? "| ---: " : "| --- ";
  }
  return names + "|\n" + rules + "|\n";
}

std::string row_text(const ReportTable& table, const ReportRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    text += "| " + (table.columns[i].right && !row.cells[i].number ? row.cells[i].text : shown(row.cells[i]));
    if (i + 1 == row.cells.size())
      for (const std::string& more : row.more) text += "<br>" + markdown_cell_code(more, kTextBytes);
    text += " ";
  }
  return text + "|\n";
}

std::string table_text(const ReportTable& table) {
  std::string head = "### " + table.title + "\n\n";
  if (!table.says.empty()) head += table.says + "\n\n";
  MarkdownRows section(head + header(table), table.section == "difference" ? kDifferenceBytes : kTableBytes);
  for (const ReportRow& row : table.rows) section.add(row_text(table, row));
  section.leave_out(table.left_out());
  return section.text();
}

std::string facts_text(const history::RunHead& head) {
  MarkdownRows section("| run | |\n| --- | --- |\n", kTableBytes);
  for (const ReportFact& fact : head_facts(head))
    section.add("| " + markdown_text(fact.label, kTextBytes) + " | " +
                markdown_cell_code(fact.text, kTextBytes) + " |\n");
  return section.text();
}

std::string sentences_text(const history::Comparison& comparison) {
  std::string text = "\n";
  for (const std::string& sentence : comparison_sentences(comparison))
    text += "- " + markdown_text(sentence, 2 * kTextBytes) + "\n";
  return text;
}

std::string notes_text(const std::vector<std::string>& notes) {
  MarkdownRows section("", kTableBytes);
  for (std::size_t i = 0; i < std::min(notes.size(), kNotes); ++i)
    section.add("- " + markdown_code(notes[i], kTextBytes) + "\n");
  section.leave_out(notes.size() - std::min(notes.size(), kNotes));
  return section.text();
}

// Tables while they fit; those that do not are named.
class Comment {
 public:
  explicit Comment(std::string head) : text_(std::move(head)) {}

  void add(const std::string& title, const std::string& more) {
    if (text_.size() + more.size() + kRest > kMostCommentBytes)
      left_out_.push_back(title);
    else
      text_ += more;
  }
  void add(const std::vector<ReportTable>& tables) {
    for (const ReportTable& table : tables) add(table.title, table_text(table));
  }
  std::string text() const {
    if (left_out_.empty()) return text_;
    return text_ + fmt::format("\nLeft out for want of room, {} tables: {}.\n", left_out_.size(),
                               join(left_out_, ", "));
  }

 private:
  std::string text_;
  std::vector<std::string> left_out_;
};

}  // namespace

std::string run_report_md(const RunReport& report) {
  Comment comment("## " + markdown_text(report_title(report), kTextBytes) + "\n");
  if (report.comparison) {
    comment.add("What is compared", sentences_text(*report.comparison));
    comment.add(comparison_tables(*report.comparison, kLimits));
  }
  comment.add("Run", facts_text(report.run.head));
  comment.add("Notes", notes_text(report.run.notes));
  comment.add(run_tables(report.run, kLimits));
  return comment.text();
}

}  // namespace hwsift::report
