// Layout. A level-k cell has edge s / 2^k, where s is slightly more than the largest extent filed.
// A box is filed at the finest level whose cells are larger than it, in the cell of its lower
// corner. So two overlapping boxes of one level lie in the same or in adjacent cells, and a coarser
// box that overlaps a given box is filed between the cell before that of the given box's lower
// corner and the cell of its upper corner.
// The bucket of a cell is linear in its numbers, with step 1 along x: cells of a row that are
// looked up together are consecutive buckets, and their boxes are consecutive in memory. If a layer
// of cells fits into the table, the boxes are visited layer by layer, which the cache favours.
#include "collide/broad_phase.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "collide/tolerances.h"

namespace tenpin::collide {
namespace {

// Cells are larger than the boxes in them by this factor, which covers the rounding of cell
// numbers: they stay below 2^38, where a coordinate is accurate to 2^-14 of a cell.
constexpr double kCellSlack = 1.0 + 0x1p-10;
constexpr double kMaxCellNumber = 0x1p38;

// The coarsest sizes are tested against all boxes as long as there are no more than this many in
// total: one test costs a nanosecond, looking up one more level about twenty.
constexpr int kMaxSparse = 16;

constexpr double kMaxExtent =
    std::numeric_limits<double>::max() / 2;  // m   leaves room for the slack

double calc_extent(const Aabb& box) {
  const double extent = (box.upper - box.lower).maxCoeff();
  const bool numbers = box.lower.allFinite() && box.upper.allFinite() && extent <= kMaxExtent;
  return numbers ? std::max(extent, 0.0) : -1.0;
}

// floor(log2(x)) for x > 0; zero and subnormals count as one less than the smallest normal number.
int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023;
}

bool overlap(const Vec3& lower_a, const Vec3& upper_a, const Vec3& lower_b, const Vec3& upper_b) {
  // No short-circuit evaluation: six comparisons cost less than one mispredicted branch.
  const auto test = [&](int i) {
    return static_cast<int>(lower_a[i] <= upper_b[i]) & static_cast<int>(lower_b[i] <= upper_a[i]);
  };
  return (test(0) & test(1) & test(2)) != 0;
}

Pair make_pair(int a, int b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

std::span<const Pair> BroadPhase::update(std::span<const Aabb> boxes, const Workers* workers) {
  TENPIN_DEMAND(boxes.size() < (1U << 30));
  split_off_large(boxes);
  choose_cells(boxes);
  file(boxes, workers);
  query_all(boxes, workers);
  sort_pairs(static_cast<int>(boxes.size()), workers);
  return pairs_;
}

// The order in which pairs are found does not matter, because they are sorted afterwards.
void BroadPhase::query_all(std::span<const Aabb> boxes, const Workers* workers) {
  const int num_entries = static_cast<int>(entries_.size());
  const bool alone = workers == nullptr || workers->size() == 1;
  const int piece = alone ? std::max(num_entries, 1) : kSortedPiece;
  const int num_pieces = (num_entries + piece - 1) / piece;
  num_pieces_ = static_cast<std::size_t>(num_pieces) + 1;
  if (found_.size() < num_pieces_) found_.resize(num_pieces_);
  for (std::size_t i = 0; i < num_pieces_; ++i) found_[i].size = 0;
  run(workers, num_pieces + 1, [&](int i, int) {
    if (i == num_pieces) query_large(boxes, &found_[i]);
    const int end = std::min(num_entries, (i + 1) * piece);
    for (int position = i * piece; position < end; ++position) {
      query_own_level(position, &found_[i]);
      query_coarser_levels(position, &found_[i]);
    }
  });
}

Pair* BroadPhase::Found::make_room(std::size_t more) {
  if (size + more > buffer.size()) buffer.resize(2 * buffer.size() + more);
  return buffer.data() + size;
}

// Measures the boxes and moves those that do not suit a grid to large_: boxes that are not finite,
// and the coarsest sizes if they are few.
void BroadPhase::split_off_large(std::span<const Aabb> boxes) {
  constexpr int kMinExponent = -1023;
  large_.clear();
  if (boxes.size() <= kMaxSparse) {  // sizes that are few
    extents_.assign(boxes.size(), -1.0);
    for (std::size_t i = 0; i < boxes.size(); ++i) large_.push_back(static_cast<int>(i));
    return;
  }
  int count[2048] = {};  // by exponent of the extent
  extents_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    extents_[i] = calc_extent(boxes[i]);
    if (extents_[i] >= 0.0) {
      ++count[exponent_of(extents_[i]) - kMinExponent];
    }
  }
  int cut = 2047;  // exponents above this one have few boxes
  for (int sum = 0; cut >= 0 && sum + count[cut] <= kMaxSparse; --cut) {
    sum += count[cut];
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (extents_[i] < 0.0 || exponent_of(extents_[i]) - kMinExponent > cut) {
      extents_[i] = -1.0;
      large_.push_back(static_cast<int>(i));
    }
  }
}

void BroadPhase::choose_cells(std::span<const Aabb> boxes) {
  double largest = 0.0;
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (extents_[i] >= 0.0) {
      largest = std::max(largest, extents_[i]);
      lower = lower.cwiseMin(boxes[i].lower);
      upper = upper.cwiseMax(boxes[i].upper);
    }
  }
  std::fill(std::begin(level_size_), std::end(level_size_), 0);
  origin_ = lower;
  span_ = upper - lower;
  const double smallest_cell = std::max(span_.maxCoeff() / kMaxCellNumber, 0x1p-1000);
  const double coarsest = std::max(largest * kCellSlack, smallest_cell);
  for (int level = 0; level < kNumLevels; ++level) {
    per_cell_[level] = 1.0 / std::max(std::ldexp(coarsest, -level), smallest_cell);
  }
  box_level_.resize(boxes.size());
  const double smallest = std::ldexp(largest, -kNumLevels);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (extents_[i] >= 0.0) {
      // Limited so that the division cannot overflow.
      const double extent = std::max(extents_[i], smallest);
      const int level = extent > 0.0 ? std::min(exponent_of(largest / extent), kNumLevels - 1) : 0;
      box_level_[i] = level;
      ++level_size_[level];
    }
  }
}

BroadPhase::Cell BroadPhase::calc_cell(const Vec3& point, int level) const {
  const Vec3 numbers = (point - origin_) * per_cell_[level];  // not negative: truncation is floor
  const auto wrap = [](double x) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(x));
  };
  return {wrap(numbers.x()), wrap(numbers.y()), wrap(numbers.z())};
}

std::uint32_t BroadPhase::calc_bucket(const Row& row, std::uint32_t x) const {
  const Hash& hash = hashes_[row.level];
  return (hash.start + x + hash.stride_y * row.y + hash.stride_z * row.z) & mask_;
}

void BroadPhase::choose_hashes() {
  for (int level = 0; level < kNumLevels; ++level) {
    const auto step = static_cast<std::uint32_t>(level + 1);
    // Odd multipliers without a pattern, for scenes whose boxes are sparse and far apart.
    hashes_[level] = {0x9e3779b9U * step, 0x85ebca6bU, 0xc2b2ae35U};
    const Vec3 numbers = (span_ * per_cell_[level]).array() + 3.0;  // one more on either side
    if (numbers.x() * numbers.y() < mask_) {
      hashes_[level].stride_y = static_cast<std::uint32_t>(numbers.x());
      hashes_[level].stride_z = static_cast<std::uint32_t>(numbers.x() * numbers.y()) | 1U;
    }
  }
}

// A counting sort of the boxes by bucket.
void BroadPhase::file(std::span<const Aabb> boxes, const Workers* workers) {
  const std::size_t num_filed = boxes.size() - large_.size();
  std::size_t num_buckets = 16;
  while (num_buckets < 2 * num_filed) {
    num_buckets *= 2;
  }
  mask_ = static_cast<std::uint32_t>(num_buckets - 1);
  choose_hashes();
  bucket_begin_.assign(num_buckets + 1, 0);
  box_bucket_.resize(boxes.size());
  box_cell_.resize(boxes.size());
  split(workers, static_cast<int>(boxes.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      if (extents_[i] < 0.0) continue;
      const Cell cell = calc_cell(boxes[i].lower, box_level_[i]);
      box_cell_[i] = cell;
      box_bucket_[i] = calc_bucket({cell.y, cell.z, box_level_[i]}, cell.x);
    }
  });
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (extents_[i] >= 0.0) ++bucket_begin_[box_bucket_[i]];
  }
  int sum = 0;
  for (int& begin : bucket_begin_) {
    sum += begin;
    begin = sum;  // end of the bucket; the loop below counts it down to the start
  }
  entries_.resize(num_filed);
  entry_x_.resize(num_filed);
  for (std::size_t i = boxes.size(); i-- > 0;) {
    if (extents_[i] >= 0.0) {
      const int position = --bucket_begin_[box_bucket_[i]];
      const Cell& cell = box_cell_[i];
      entries_[position] = {boxes[i].lower, boxes[i].upper, cell.y,
                            cell.z,         box_level_[i],  static_cast<std::int32_t>(i)};
      entry_x_[position] = cell.x;
    }
  }
}

// Searches half of the neighbourhood: the cells before in the same row, and the four rows before
// it.
void BroadPhase::query_own_level(int position, Found* found) const {
  const Entry& entry = entries_[position];
  const Row own = {entry.y, entry.z, entry.level};
  const std::uint32_t x = entry_x_[position];
  query_range(entry, own, position + 1, bucket_begin_[calc_bucket(own, x) + 1], found);
  query_row(entry, own, x + 1, 1, found);
  query_row(entry, {entry.y + 1, entry.z, entry.level}, x - 1, 3, found);
  for (std::uint32_t dy = 0; dy < 3; ++dy) {
    query_row(entry, {entry.y + dy - 1, entry.z + 1, entry.level}, x - 1, 3, found);
  }
}

void BroadPhase::query_coarser_levels(int position, Found* found) const {
  const Entry& entry = entries_[position];
  for (int level = 0; level < entry.level; ++level) {
    if (level_size_[level] == 0) {
      continue;
    }
    const Cell from = calc_cell(entry.lower, level);
    const Cell to = calc_cell(entry.upper, level);
    for (std::uint32_t z = from.z - 1; z != to.z + 1; ++z) {
      for (std::uint32_t y = from.y - 1; y != to.y + 1; ++y) {
        query_row(entry, {y, z, level}, from.x - 1, to.x - from.x + 2, found);
      }
    }
  }
}

// Visits `count` consecutive cells of a row from x on; their buckets may wrap around the end of the
// table.
void BroadPhase::query_row(const Entry& entry, const Row& row, std::uint32_t x, std::uint32_t count,
                           Found* found) const {
  const std::uint32_t begin = calc_bucket(row, x);
  const std::uint32_t end = std::min(begin + count, mask_ + 1);
  query_range(entry, row, bucket_begin_[begin], bucket_begin_[end], found);
  if (end < begin + count) {
    query_range(entry, row, 0, bucket_begin_[begin + count - end], found);
  }
}

// Boxes of other rows share the buckets. They are skipped even if they overlap, because the search
// of their own row finds them as well.
void BroadPhase::query_range(const Entry& entry, const Row& row, int begin, int end,
                             Found* found) const {
  if (begin == end) {
    return;
  }
  Pair* out = found->make_room(end - begin);
  for (int k = begin; k < end; ++k) {
    const Entry& other = entries_[k];
    *out = make_pair(entry.box, other.box);
    const int same_row = static_cast<int>(other.y == row.y) & static_cast<int>(other.z == row.z) &
                         static_cast<int>(other.level == row.level);
    out += same_row & static_cast<int>(overlap(entry.lower, entry.upper, other.lower, other.upper));
  }
  found->size = out - found->buffer.data();
}

void BroadPhase::query_large(std::span<const Aabb> boxes, Found* found) const {
  for (const int i : large_) {
    Pair* out = found->make_room(boxes.size());
    for (int j = 0; j < static_cast<int>(boxes.size()); ++j) {
      *out = make_pair(i, j);
      // A pair of two large boxes is reported by the first of them.
      const bool wanted = extents_[j] >= 0.0 || i < j;
      out += static_cast<int>(wanted) & static_cast<int>(overlap(boxes[i].lower, boxes[i].upper,
                                                                 boxes[j].lower, boxes[j].upper));
    }
    found->size = out - found->buffer.data();
  }
}

// A counting sort by the first box, then a sort of each box's short list.
void BroadPhase::sort_pairs(int num_boxes, const Workers* workers) {
  first_begin_.assign(num_boxes + 1, 0);
  const std::span<const Found> found = std::span(found_).first(num_pieces_);
  for (const Found& piece : found) {
    for (const Pair& pair : piece.pairs()) ++first_begin_[pair.first];
  }
  std::size_t sum = 0;
  for (std::size_t& begin : first_begin_) {
    sum += begin;
    begin = sum;
  }
  pairs_.resize(sum);
  for (const Found& piece : found) {
    for (const Pair& pair : piece.pairs()) pairs_[--first_begin_[pair.first]] = pair;
  }
  split(workers, num_boxes, [this](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      std::sort(pairs_.data() + first_begin_[i], pairs_.data() + first_begin_[i + 1]);
    }
  });
}

}  // namespace tenpin::collide
