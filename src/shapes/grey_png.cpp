// PNG pictures in grey (ISO/IEC 15948), as far as height fields need them: one channel of 8 or 16
// bits, rows from top to bottom. The stream of rows is inflated by zlib; each row begins with the
// number of the filter that predicted its bytes from those to the left and above.
#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "shapes/height_field.h"

namespace tenpin::shapes {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

std::uint32_t read_word(std::string_view bytes) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8U | static_cast<std::uint8_t>(bytes[i]);
  return word;
}

struct Header {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::size_t depth = 0;  // bytes per value

  std::size_t row_size() const { return 1 + width * depth; }
};

Header read_header(std::string_view data) {
  if (data.size() != 13) throw InputError("a PNG header of another length");
  const Header header = {.width = read_word(data),
                         .height = read_word(data.substr(4)),
                         .depth = static_cast<std::uint8_t>(data[8]) / std::size_t{8}};
  const int bits = static_cast<std::uint8_t>(data[8]);
  const int colour = static_cast<std::uint8_t>(data[9]);
  if ((bits != 8 && bits != 16) || colour != 0 || data[10] != 0 || data[11] != 0 || data[12] != 0) {
    throw InputError(fmt::format(
        "a PNG picture of {} bits, colour type {} and interlacing {}, want grey (colour type 0) of "
        "8 or 16 bits without interlacing",
        bits, colour, static_cast<std::uint8_t>(data[12])));
  }
  const std::uint64_t count = std::uint64_t{header.width} * header.height;
  if (header.width < 2 || header.height < 2 || count > kMostHeights) {
    throw InputError(fmt::format("a picture of {} x {}, want 2 x 2 to {} heights", header.width,
                                 header.height, kMostHeights));
  }
  return header;
}

struct Chunks {
  Header header;
  std::string stream;  // of the rows, compressed
};

Chunks read_chunks(std::string_view bytes) {
  Chunks chunks;
  if (!bytes.starts_with(kSignature)) throw InputError("not a PNG picture");
  bytes.remove_prefix(kSignature.size());
  for (bool is_first = true;; is_first = false) {
    constexpr std::size_t kAround = 12;  // length, type, checksum
    if (bytes.size() < kAround) throw InputError("a PNG picture that is cut off");
    const std::size_t size = read_word(bytes);
    if (size > bytes.size() - kAround) throw InputError("a PNG picture that is cut off");
    const std::string_view type = bytes.substr(4, 4);
    const std::string_view data = bytes.substr(8, size);
    const auto* checked = reinterpret_cast<const Bytef*>(type.data());
    const auto sum = crc32(0, checked, static_cast<uInt>(size + 4));
    if (sum != read_word(bytes.substr(8 + size))) {
      throw InputError("a PNG picture with a wrong checksum");
    }
    bytes.remove_prefix(kAround + size);
    if (is_first != (type == "IHDR")) throw InputError("a PNG picture without its header");
    if (type == "IHDR") chunks.header = read_header(data);
    if (type == "IDAT") chunks.stream += data;
    if (type == "IEND") return chunks;
  }
}

std::string inflate_rows(const Chunks& chunks) {
  std::string rows(chunks.header.row_size() * chunks.header.height, '\0');
  uLongf size = rows.size();
  const int status =
      uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                 reinterpret_cast<const Bytef*>(chunks.stream.data()), chunks.stream.size());
  if (status != Z_OK || size != rows.size()) throw InputError("a damaged PNG picture");
  return rows;
}

// The neighbour that is nearest to left + up - corner.
int predict_paeth(int left, int up, int corner) {
  const int estimate = left + up - corner;
  const int to_left = std::abs(estimate - left);
  const int to_up = std::abs(estimate - up);
  const int to_corner = std::abs(estimate - corner);
  if (to_left <= to_up && to_left <= to_corner) return left;
  return to_up <= to_corner ? up : corner;
}

int predict(int filter, int left, int up, int corner) {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) / 2;
    case 4:
      return predict_paeth(left, up, corner);
    default:
      throw InputError(fmt::format("a PNG picture with the unknown filter {}", filter));
  }
}

// Replaces the bytes of all rows by what they stand for.
void undo_filters(const Header& header, std::string* rows) {
  const std::size_t size = header.row_size();
  const auto at = [&](std::size_t y, std::size_t k) -> int {
    return static_cast<std::uint8_t>((*rows)[y * size + k]);
  };
  for (std::size_t y = 0; y < header.height; ++y) {
    const int filter = at(y, 0);
    for (std::size_t k = 1; k < size; ++k) {
      const int left = k > header.depth ? at(y, k - header.depth) : 0;
      const int up = y > 0 ? at(y - 1, k) : 0;
      const int corner = k > header.depth && y > 0 ? at(y - 1, k - header.depth) : 0;
      (*rows)[y * size + k] = static_cast<char>(at(y, k) + predict(filter, left, up, corner));
    }
  }
}

}  // namespace

HeightGrid parse_grey_png(std::string_view bytes) {
  const Chunks chunks = read_chunks(bytes);
  const Header& header = chunks.header;
  std::string rows = inflate_rows(chunks);
  undo_filters(header, &rows);
  HeightGrid grid = {.num_x = static_cast<int>(header.width),
                     .num_y = static_cast<int>(header.height)};
  grid.heights.reserve(static_cast<std::size_t>(header.width) * header.height);
  for (std::size_t y = 0; y < header.height; ++y) {
    for (std::size_t x = 0; x < header.width; ++x) {
      const std::size_t first = y * header.row_size() + 1 + x * header.depth;
      double value = static_cast<std::uint8_t>(rows[first]);
      if (header.depth == 2) value = 256.0 * value + static_cast<std::uint8_t>(rows[first + 1]);
      grid.heights.push_back(value / (header.depth == 2 ? 65535.0 : 255.0));
    }
  }
  return grid;
}

}  // namespace tenpin::shapes
