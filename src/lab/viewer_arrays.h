// Packs arrays of numbers for the viewer's page. See "The page's format" in docs/viewer.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenpin::lab {

// The place of an array in the packed stream, in which arrays follow each other in this order.
struct PackedArray {
  std::string name;
  std::string_view type;   // u8, i16, i32, f32 or f64
  std::size_t length = 0;  // elements
  // elements between a number and the number that was subtracted from it; 0 = none
  std::size_t delta = 0;
};

enum class PackFor { kFile, kLoopback };  // kFile: small; kLoopback: fast

class ArrayPacker {
 public:
  explicit ArrayPacker(PackFor use = PackFor::kFile);
  ~ArrayPacker();
  ArrayPacker(const ArrayPacker&) = delete;
  ArrayPacker& operator=(const ArrayPacker&) = delete;

  void add(std::string_view name, std::span<const std::uint8_t> values);
  void add(std::string_view name, std::span<const std::int16_t> values, std::size_t delta = 0);
  void add(std::string_view name, std::span<const std::int32_t> values, std::size_t delta = 0);
  void add(std::string_view name, std::span<const float> values, std::size_t delta = 0);
  void add(std::string_view name, std::span<const double> values);

  const std::vector<PackedArray>& arrays() const { return arrays_; }

  // Returns everything added so far as one zlib stream. Nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  class Deflater;

  template <typename Bits>
  void pack(PackedArray entry, std::vector<Bits> bits);

  std::vector<PackedArray> arrays_;
  std::unique_ptr<Deflater> deflater_;
};

[[nodiscard]] std::string encode_base64(std::string_view bytes);

// The nearest float with 16 significant bits: enough for a picture and four displayed digits, and
// its trailing zeros compress well.
[[nodiscard]] float round_for_page(double value);

}  // namespace tenpin::lab
