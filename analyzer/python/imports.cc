// Imports and definitions: names first, so that a function above its import resolves too.
#include "analyzer/python/file_reader.h"

namespace hwsift::analyzer {

namespace {

// Only statements hold imports and definitions; expressions are passed over.
bool holds_statements(TSNode node) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(node);
  return symbol == g.block || symbol == g.function_definition || symbol == g.class_definition ||
         symbol == g.decorated_definition || symbol == g.if_statement || symbol == g.elif_clause ||
         symbol == g.else_clause || symbol == g.try_statement || symbol == g.except_clause ||
         symbol == g.except_group_clause || symbol == g.finally_clause || symbol == g.with_statement ||
         symbol == g.for_statement || symbol == g.while_statement || symbol == g.match_statement ||
         symbol == g.case_clause || ts_node_is_error(node);
}

}  // namespace

void FileReader::read_name_of(TSNode statement, const Around& around) {
  const Grammar& g = grammar();
  TSSymbol symbol = ts_node_symbol(statement);
  if (symbol == g.import_statement) read_import(statement, around.functions == 0);
  if (symbol == g.import_from_statement) read_import_from(statement, around.functions == 0);
  bool defines = symbol == g.function_definition || symbol == g.class_definition;
  if (defines && around.functions == 0 && around.classes == 0)
    names_.define(source_.text(field(statement, g.name)));
}

void FileReader::read_names(TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  Around around;
  bool going = ts_tree_cursor_goto_first_child(&cursor);
  while (going) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    read_name_of(node, around);
    if (holds_statements(node) && ts_tree_cursor_goto_first_child(&cursor)) {
      around.step(node, 1);
      continue;
    }
    while (going && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      going = ts_tree_cursor_goto_parent(&cursor);
      TSNode left = ts_tree_cursor_current_node(&cursor);
      if (going) around.step(left, -1);
      if (ts_node_eq(left, root)) going = false;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

void FileReader::add_import(std::string module, std::string name, std::string alias, TSNode node,
                            bool top_level) {
  TSNode statement = ts_node_parent(node);
  bool whole = is(node, grammar().import_statement) || is(node, grammar().import_from_statement);
  Import import{std::move(module),
                std::move(name),
                std::move(alias),
                source_.line(whole ? node : statement),
                top_level,
                source_.span(node),
                source_.span(whole ? node : statement)};
  add_import(std::move(import));
}

void FileReader::add_import(Import import) {
  names_.import(import);
  facts_.imports.push_back(std::move(import));
}

// What stands in no tree, since it was read from tokens.
void FileReader::read_plain_names(const Excerpt& excerpt) {
  for (const PlainImport& plain : excerpt.imports)
    add_import({plain.module, plain.name, plain.alias, source_.line(plain.statement.begin), plain.top_level,
                plain.span, plain.statement});
  for (std::string_view name : excerpt.definitions) names_.define(name);
}

void FileReader::read_import(TSNode node, bool top_level) {
  const Grammar& g = grammar();
  for (TSNode item : named_children(node)) {
    bool aliased = is(item, g.aliased_import);
    std::string module(source_.text(aliased ? field(item, g.name) : item));
    std::string alias(aliased ? std::string(source_.text(field(item, g.alias)))
                              : module.substr(0, module.find('.')));
    add_import(module, "", alias, item, top_level);
  }
}

void FileReader::read_import_from(TSNode node, bool top_level) {
  const Grammar& g = grammar();
  TSNode module_node = field(node, g.module_name);
  std::string module(source_.text(module_node));
  for (TSNode item : named_children(node)) {
    if (ts_node_eq(item, module_node)) continue;
    if (is(item, g.wildcard_import)) {
      add_import(module, "*", "", item, top_level);
    } else if (is(item, g.aliased_import)) {
      std::string name(source_.text(field(item, g.name)));
      add_import(module, name, std::string(source_.text(field(item, g.alias))), item, top_level);
    } else if (is(item, g.dotted_name)) {
      std::string name(source_.text(item));
      add_import(module, name, name, item, top_level);
    }
  }
}

}  // namespace hwsift::analyzer
