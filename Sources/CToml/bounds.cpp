#include "bounds.hpp"

#include <string>

namespace ctoml {
namespace {

/// Reads the text the way TOML's lexer does: strings and comments count as nothing.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text(text) {}

  Refusal scan() {
    while (at < text.size()) {
      const char next = text[at];
      if (next == '#') {
        skip_comment();
      } else if (next == '"' || next == '\'') {
        skip_string(next);
      } else {
        count(next);
        if (dots >= CTOML_DEEPEST) return {CTOML_FAULT_TOO_DEEP, position()};
        if (parts > CTOML_MOST_PARTS) return {CTOML_FAULT_TOO_MANY, position()};
        at += 1;
      }
    }
    return {CTOML_FAULT_NONE, {0, 0}};
  }

 private:
  std::string_view text;
  size_t at = 0;
  size_t dots = 0;
  size_t parts = 0;

  void count(char next) {
    if (next == '.') {
      dots += 1;
      parts += 1;
    } else if (next == '[' || next == '{') {
      dots = 0;
      parts += 1;
    } else if (ends_key(next)) {
      dots = 0;
    }
  }

  static bool ends_key(char next) {
    return next == '\n' || next == '=' || next == ',' || next == ']' || next == '}';
  }

  void skip_comment() {
    while (at < text.size() && text[at] != '\n') at += 1;
  }

  void skip_string(char quote) {
    const std::string_view run = text.substr(at, 3);
    const bool is_long = run.size() == 3 && run[1] == quote && run[2] == quote;
    at += is_long ? 3 : 1;
    while (at < text.size() && !closes(quote, is_long)) {
      at += text[at] == '\\' && quote == '"' ? 2 : 1;
    }
  }

  /// Steps behind the end of a string. A string of one line also ends with its line: the parser
  /// refuses it there, and so never builds what follows.
  bool closes(char quote, bool is_long) {
    if (!is_long) {
      if (text[at] != quote && text[at] != '\n') return false;
      at += text[at] == quote ? 1 : 0;
      return true;
    }
    if (text.substr(at, 3) != std::string(3, quote)) return false;
    at += 3;
    // A long string may end in up to two quotes of its own.
    for (int more = 0; more < 2 && at < text.size() && text[at] == quote; more += 1) at += 1;
    return true;
  }

  ctoml_position position() const {
    ctoml_position place = {1, 1};
    for (const char byte : text.substr(0, at)) {
      if (byte == '\n') {
        place = {place.line + 1, 1};
      } else if ((byte & 0xC0) != 0x80) {
        place.column += 1;
      }
    }
    return place;
  }
};

}  // namespace

Refusal beyond_bounds(std::string_view text) {
  if (text.size() > CTOML_LONGEST) return {CTOML_FAULT_TOO_LONG, {1, 1}};
  return Scanner(text).scan();
}

}  // namespace ctoml
