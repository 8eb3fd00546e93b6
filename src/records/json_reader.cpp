// SPDX-License-Identifier: BSD-3-Clause
// Recursive descent over the grammar of JSON.
#include "json_reader.hpp"

#include <algorithm>

#include <tessera/error.hpp>

namespace tessera::detail {

namespace {

constexpr int deepest = 32;
constexpr long most_values = 1L << 22;  // a hundred thousand records: more would fill the memory

class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  json_value document() {
    if (!is_utf8()) fail("text that is not UTF-8");
    json_value all = value(0);
    skip_blanks();
    if (at_ != text_.size()) fail("more text behind the end");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto lines = 1 + std::count(text_.begin(), text_.begin() + std::ptrdiff_t(std::min(at_, text_.size())), '\n');
    throw error("not valid JSON, line " + std::to_string(lines) + ": " + what);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  char next() {
    if (at_ >= text_.size()) fail("the file ends too early");
    return text_[at_++];
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  void expect(char wanted) {
    skip_blanks();
    if (next() != wanted) --at_, fail(std::string("expected '") + wanted + "'");
  }

  // Stops at the first invalid byte.
  bool is_utf8() {
    while (at_ < text_.size()) {
      const auto byte = [&](std::size_t i) {
        return at_ + i < text_.size() ? unsigned(static_cast<unsigned char>(text_[at_ + i])) : 0u;
      };
      const unsigned first = byte(0), second = byte(1);
      const std::size_t more = first < 0x80   ? 0
                               : first < 0xc2 ? 4
                               : first < 0xe0 ? 1
                               : first < 0xf0 ? 2
                               : first < 0xf5 ? 3
                                              : 4;
      if (more == 4) return false;
      for (std::size_t i = 1; i <= more; ++i)
        if ((byte(i) & 0xc0) != 0x80) return false;
      // An overlong form, half a surrogate pair, or beyond the last code point.
      if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
          (first == 0xf4 && second > 0x8f))
        return false;
      at_ += 1 + more;
    }
    at_ = 0;
    return true;
  }

  json_value value(int depth) {
    if (depth > deepest) fail("nested too deeply");
    if (++values_ > most_values) fail("more than " + std::to_string(most_values) + " values");
    skip_blanks();
    switch (peek()) {
      case '{': return object(depth);
      case '[': return list(depth);
      case '"': return {json_value::kind::text, text(), {}, {}};
      case 't': return word("true", json_value::kind::boolean);
      case 'f': return word("false", json_value::kind::boolean);
      case 'n': return word("null", json_value::kind::null);
      default: return number();
    }
  }

  json_value object(int depth) {
    json_value all{json_value::kind::object, {}, {}, {}};
    expect('{');
    skip_blanks();
    if (peek() == '}') return ++at_, all;
    do {
      skip_blanks();
      if (peek() != '"') fail("expected the name of a member");
      all.names.push_back(text());
      expect(':');
      all.items.push_back(value(depth + 1));
      skip_blanks();
    } while (peek() == ',' && ++at_);
    expect('}');
    refuse_repeated(all.names);
    return all;
  }

  void refuse_repeated(const std::vector<std::string>& names) const {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) fail("the member \"" + std::string(twice->substr(0, 60)) + "\" is there twice");
  }

  json_value list(int depth) {
    json_value all{json_value::kind::list, {}, {}, {}};
    expect('[');
    skip_blanks();
    if (peek() == ']') return ++at_, all;
    do {
      all.items.push_back(value(depth + 1));
      skip_blanks();
    } while (peek() == ',' && ++at_);
    expect(']');
    return all;
  }

  json_value word(std::string_view wanted, json_value::kind is) {
    if (text_.substr(at_, wanted.size()) != wanted) fail("expected a value");
    at_ += wanted.size();
    return {is, std::string(wanted), {}, {}};
  }

  std::string digits() {
    std::string found;
    while (peek() >= '0' && peek() <= '9') found += next();
    if (found.empty()) fail("expected a value");
    return found;
  }
  json_value number() {
    std::string all;
    if (peek() == '-') all += next();
    const std::string whole = digits();
    if (whole.size() > 1 && whole[0] == '0') fail("a number must not start with 0");
    all += whole;
    if (peek() == '.') all += next(), all += digits();
    if (peek() == 'e' || peek() == 'E') {
      all += next();
      if (peek() == '+' || peek() == '-') all += next();
      all += digits();
    }
    return {json_value::kind::number, all, {}, {}};
  }

  std::string text() {
    expect('"');
    std::string all;
    while (true) {
      const char c = next();
      if (c == '"') return all;
      if (static_cast<unsigned char>(c) < 0x20) fail("a line break or control character in a text");
      if (c == '\\')
        escape(all);
      else
        all += c;
    }
  }
  void escape(std::string& all) {
    static constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    const char c = next();
    if (c == 'u') return unicode(all);
    const std::size_t which = letters.find(c);
    if (which == std::string_view::npos) fail("an unknown escape in a text");
    all += meant[which];
  }
  unsigned four_digits() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      static constexpr std::string_view hex = "0123456789abcdef";
      const char c = next();
      const std::size_t digit = hex.find(c >= 'A' && c <= 'F' ? char(c - 'A' + 'a') : c);
      if (digit == std::string_view::npos) fail("\\u needs four hexadecimal digits");
      code = 16 * code + unsigned(digit);
    }
    return code;
  }
  // As UTF-8.
  void unicode(std::string& all) {
    unsigned code = four_digits();
    if (code == 0) fail("\\u0000 in a text");
    if (code >= 0xd800 && code < 0xe000) {  // a pair of surrogates is one code point
      const bool first = code < 0xdc00 && next() == '\\' && next() == 'u';
      const unsigned second = first ? four_digits() : 0;
      if (second < 0xdc00 || second >= 0xe000) fail("half a pair of surrogates in a text");
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    const auto more = [&](int shift) { all += char(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
      all += char(code);
    } else if (code < 0x800) {
      all += char(0xc0 | code >> 6), more(0);
    } else if (code < 0x10000) {
      all += char(0xe0 | code >> 12), more(6), more(0);
    } else {
      all += char(0xf0 | code >> 18), more(12), more(6), more(0);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  long values_ = 0;
};

}  // namespace

const json_value* json_value::member(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return &items[i];
  return nullptr;
}

json_value parse_json(std::string_view text) { return reader(text).document(); }

}  // namespace tessera::detail
