#include "lab/viewer_arrays.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace tenpin::lab {
namespace {

// zlib level: higher levels make a page only a little smaller and take much longer
constexpr int kFileLevel = 4;
constexpr int kLoopbackLevel = 0;  // stored without compression
constexpr std::size_t kChunk = std::size_t{1} << 18;

template <typename Bits, typename T>
std::vector<Bits> to_bits(std::span<const T> values) {
  static_assert(sizeof(Bits) == sizeof(T));
  std::vector<Bits> bits(values.size());
  std::transform(values.begin(), values.end(), bits.begin(), [](T value) {
    return std::bit_cast<Bits>(value);
  });
  return bits;
}

// Subtracts neighbours from the back, so that each number is still original when the next one needs
// it.
template <typename Bits>
void subtract(std::size_t delta, std::vector<Bits>* bits) {
  for (std::size_t i = bits->size(); i-- > delta;)
    (*bits)[i] = static_cast<Bits>((*bits)[i] - (*bits)[i - delta]);
}

// Reorders bytes: byte b of every element, least significant first, then byte b + 1 of every
// element, ...
template <typename Bits>
std::vector<std::uint8_t> split_planes(const std::vector<Bits>& bits) {
  std::vector<std::uint8_t> planes(bits.size() * sizeof(Bits));
  auto out = planes.begin();
  for (std::size_t b = 0; b < sizeof(Bits); ++b)
    for (const Bits value : bits) *out++ = static_cast<std::uint8_t>(value >> (8 * b));
  return planes;
}

}  // namespace

class ArrayPacker::Deflater {
 public:
  explicit Deflater(int level) { TENPIN_DEMAND(deflateInit(&stream_, level) == Z_OK); }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void put(std::span<const std::uint8_t> bytes) {
    for (std::size_t i = 0; i < bytes.size(); i += kChunk)
      run(bytes.subspan(i, std::min(kChunk, bytes.size() - i)), Z_NO_FLUSH);
  }

  std::string finish() {
    run({}, Z_FINISH);
    return std::move(packed_);
  }

 private:
  void run(std::span<const std::uint8_t> bytes, int flush) {
    stream_.next_in = const_cast<std::uint8_t*>(bytes.data());  // the library only reads the bytes
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      const std::size_t used = packed_.size();
      packed_.resize(used + kChunk);
      stream_.next_out = reinterpret_cast<Bytef*>(packed_.data()) + used;
      stream_.avail_out = static_cast<uInt>(kChunk);
      TENPIN_DEMAND(deflate(&stream_, flush) != Z_STREAM_ERROR);
      packed_.resize(used + kChunk - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_ = {};
  std::string packed_;
};

ArrayPacker::ArrayPacker(PackFor use)
    : deflater_(std::make_unique<Deflater>(use == PackFor::kFile ? kFileLevel : kLoopbackLevel)) {}
ArrayPacker::~ArrayPacker() = default;

template <typename Bits>
void ArrayPacker::pack(PackedArray entry, std::vector<Bits> bits) {
  entry.length = bits.size();
  if (entry.delta > 0) subtract(entry.delta, &bits);
  deflater_->put(split_planes(bits));
  arrays_.push_back(std::move(entry));
}

void ArrayPacker::add(std::string_view name, std::span<const std::uint8_t> values) {
  pack({.name = std::string(name), .type = "u8"}, to_bits<std::uint8_t>(values));
}
void ArrayPacker::add(std::string_view name, std::span<const std::int16_t> values,
                      std::size_t delta) {
  pack({.name = std::string(name), .type = "i16", .delta = delta}, to_bits<std::uint16_t>(values));
}
void ArrayPacker::add(std::string_view name, std::span<const std::int32_t> values,
                      std::size_t delta) {
  pack({.name = std::string(name), .type = "i32", .delta = delta}, to_bits<std::uint32_t>(values));
}
void ArrayPacker::add(std::string_view name, std::span<const float> values, std::size_t delta) {
  pack({.name = std::string(name), .type = "f32", .delta = delta}, to_bits<std::uint32_t>(values));
}
void ArrayPacker::add(std::string_view name, std::span<const double> values) {
  pack({.name = std::string(name), .type = "f64"}, to_bits<std::uint64_t>(values));
}

std::string ArrayPacker::finish() {
  return deflater_->finish();
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? std::uint8_t(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

float round_for_page(double value) {
  const auto narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) return narrow;
  // Rounds by adding half of the last kept bit, then truncates. A carry into the exponent is
  // correct, too, except for the very largest floats, which are left unchanged.
  constexpr std::uint32_t kCut = 0xff;
  const auto bits = std::bit_cast<std::uint32_t>(narrow);
  const auto rounded = std::bit_cast<float>((bits + (kCut + 1) / 2) & ~kCut);
  return std::isfinite(rounded) ? rounded : narrow;
}

}  // namespace tenpin::lab
