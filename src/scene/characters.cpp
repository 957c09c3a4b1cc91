#include "scene/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tenpin::scene {

namespace {

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;  // 0: the text is not UTF-8
};

// Decodes one character from the front of a non-empty text. Refuses overlong forms, surrogates and
// codes above U+10FFFF, as RFC 3629 requires.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return {};
  }
  std::uint32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) {
      return {};
    }
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || surrogate) {
    return {};
  }
  return {code, length};
}

struct CodeRange {
  std::uint32_t first, last;
  std::string_view what;
};

constexpr std::array<CodeRange, 10> kRefused = {{
    {0x00, 0x08, "control character"},
    {0x0B, 0x1F, "control character"},
    {0x7F, 0x9F, "control character"},
    {0x061C, 0x061C, "direction mark"},
    {0x200B, 0x200B, "invisible space"},
    {0x200E, 0x200F, "direction mark"},
    {0x2028, 0x202E, "line separator or direction mark"},
    {0x2060, 0x206F, "invisible character or direction mark"},
    {0xFEFF, 0xFEFF, "byte order mark inside the text"},
    {0xFFFE, 0xFFFF, "no character"},
}};

const CodeRange* find_refused(std::uint32_t code) {
  const auto* range = std::find_if(kRefused.begin(), kRefused.end(), [&](const CodeRange& r) {
    return code >= r.first && code <= r.last;
  });
  return range == kRefused.end() ? nullptr : range;
}

}  // namespace

std::optional<BadCharacter> find_bad_character(std::string_view text) {
  constexpr std::string_view kHdf5 = "\x89HDF";
  if (text.starts_with(kHdf5)) {
    return BadCharacter{0, "an HDF5 file: run files are for `tenpin run --from`, info and view"};
  }
  for (std::size_t i = 0; i < text.size();) {
    const Decoded character = decode(text.substr(i));
    if (character.length == 0) {
      return BadCharacter{
          i, fmt::format("not UTF-8, byte 0x{:02X}", static_cast<unsigned char>(text[i]))};
    }
    if (const CodeRange* refused = find_refused(character.code)) {
      return BadCharacter{i, fmt::format("{} U+{:04X}", refused->what, character.code)};
    }
    i += character.length;
  }
  return std::nullopt;
}

std::string excerpt(std::string_view text, std::size_t most) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded character = decode(text.substr(i));
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    if (i + length > most) {
      return result + fmt::format("... ({} bytes)", text.size());
    }
    const bool tab_or_line = character.code == '\t' || character.code == '\n';
    if (character.length == 0) {
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[i]));
    } else if (tab_or_line || find_refused(character.code) != nullptr) {
      result += fmt::format("\\u{:04X}", character.code);
    } else {
      result += text.substr(i, length);
    }
    i += length;
  }
  return result;
}

}  // namespace tenpin::scene
