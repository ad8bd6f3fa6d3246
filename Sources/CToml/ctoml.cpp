#include "ctoml.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES CTOML_DEEPEST
#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <toml++/toml.h>
#include <utility>
#include <vector>

#include "bounds.hpp"

namespace {

/// Owns what a document points to. A deque never moves its elements, so the texts stay where the
/// nodes point.
struct Owner {
  std::vector<ctoml_node> nodes;
  std::deque<std::string> texts;

  ctoml_text keep(std::string text) {
    texts.push_back(std::move(text));
    return {reinterpret_cast<const uint8_t *>(texts.back().data()), texts.back().size()};
  }
};

ctoml_position place(const toml::source_position &position) {
  return {position.line, position.column};
}

class Flattener {
 public:
  explicit Flattener(Owner &owner) : owner(owner) {}

  /// Appends a node and all below it. The depth of the recursion is bounded by beyond_bounds.
  void append(const toml::node &source, const toml::key *key) {
    ctoml_node node = {};
    node.position = place(source.source().begin);
    if (key != nullptr) {
      node.key = owner.keep(std::string(key->str()));
      node.key_position = place(key->source().begin);
    }
    if (const auto *table = source.as_table()) return append(*table, node);
    if (const auto *array = source.as_array()) return append(*array, node);
    fill(node, source);
    owner.nodes.push_back(node);
  }

 private:
  using Entry = std::pair<const toml::key *, const toml::node *>;

  Owner &owner;

  void append(const toml::table &table, ctoml_node node) {
    node.kind = CTOML_TABLE;
    node.children = table.size();
    owner.nodes.push_back(node);
    std::vector<Entry> entries;
    for (const auto &[key, value] : table) entries.emplace_back(&key, &value);
    std::sort(entries.begin(), entries.end(), [](const Entry &one, const Entry &other) {
      return one.first->source().begin < other.first->source().begin;
    });
    for (const auto &[key, value] : entries) append(*value, key);
  }

  void append(const toml::array &array, ctoml_node node) {
    node.kind = CTOML_ARRAY;
    node.children = array.size();
    owner.nodes.push_back(node);
    for (const auto &value : array) append(value, nullptr);
  }

  void fill(ctoml_node &node, const toml::node &source) {
    if (const auto *text = source.as_string()) {
      node.kind = CTOML_STRING;
      node.text = owner.keep(text->get());
    } else if (const auto *integer = source.as_integer()) {
      node.kind = CTOML_INTEGER;
      node.integer = integer->get();
    } else if (const auto *number = source.as_floating_point()) {
      node.kind = CTOML_FLOAT;
      node.number = number->get();
    } else if (const auto *boolean = source.as_boolean()) {
      node.kind = CTOML_BOOLEAN;
      node.integer = boolean->get() ? 1 : 0;
    } else {
      node.kind = CTOML_DATE_TIME;
      node.text = owner.keep(written(source));
    }
  }

  static std::string written(const toml::node &source) {
    std::ostringstream text;
    if (const auto *date = source.as_date()) text << date->get();
    if (const auto *time = source.as_time()) text << time->get();
    if (const auto *both = source.as_date_time()) text << both->get();
    return text.str();
  }
};

ctoml_document refused(ctoml_fault fault, ctoml_position position) {
  ctoml_document document = {};
  document.fault = fault;
  document.fault_position = position;
  return document;
}

ctoml_document read(std::string_view text) {
  const ctoml::Refusal refusal = ctoml::beyond_bounds(text);
  if (refusal.fault != CTOML_FAULT_NONE) return refused(refusal.fault, refusal.position);

  auto owner = std::make_unique<Owner>();
  const toml::parse_result result = toml::parse(text);
  ctoml_document document = {};
  if (result) {
    Flattener(*owner).append(result.table(), nullptr);
    document.nodes = owner->nodes.data();
    document.count = owner->nodes.size();
  } else {
    document = refused(CTOML_FAULT_SYNTAX, place(result.error().source().begin));
    document.message = owner->keep(std::string(result.error().description()));
  }
  document.owner = owner.release();
  return document;
}

}  // namespace

ctoml_document ctoml_read(const uint8_t *bytes, size_t length) {
  // The parser reports what is wrong with a text as a value; all that is left is the allocator.
  try {
    return read({reinterpret_cast<const char *>(bytes), length});
  } catch (...) {
    return refused(CTOML_FAULT_NO_MEMORY, {1, 1});
  }
}

void ctoml_release(ctoml_document document) { delete static_cast<Owner *>(document.owner); }
