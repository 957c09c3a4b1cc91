#include "complementarity/rational.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace tenpin::complementarity {

namespace {

constexpr int kDigitBits = 32;
constexpr int kDoubleBits = std::numeric_limits<double>::digits;                     // 53
constexpr int kLowestBit = std::numeric_limits<double>::min_exponent - kDoubleBits;  // -1074

// The greatest common divisor, by Euclid's algorithm.
Natural calc_gcd(Natural a, Natural b) {
  while (!b.is_zero()) {
    Natural rest = divide(a, b).remainder;
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

}  // namespace

Natural::Natural(std::uint64_t value) {
  for (; value != 0; value >>= kDigitBits) digits_.push_back(static_cast<std::uint32_t>(value));
}

void Natural::trim() {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
}

std::int64_t Natural::num_bits() const {
  if (digits_.empty()) return 0;
  return static_cast<std::int64_t>(digits_.size()) * kDigitBits - std::countl_zero(digits_.back());
}

std::uint64_t Natural::low_word() const {
  std::uint64_t word = digits_.empty() ? 0 : digits_[0];
  if (digits_.size() > 1) word |= static_cast<std::uint64_t>(digits_[1]) << kDigitBits;
  return word;
}

int compare(const Natural& a, const Natural& b) {
  if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size() ? -1 : 1;
  for (std::size_t i = a.digits_.size(); i-- > 0;) {
    if (a.digits_[i] != b.digits_[i]) return a.digits_[i] < b.digits_[i] ? -1 : 1;
  }
  return 0;
}

Natural operator+(const Natural& a, const Natural& b) {
  const auto& longer = a.digits_.size() < b.digits_.size() ? b.digits_ : a.digits_;
  const auto& shorter = a.digits_.size() < b.digits_.size() ? a.digits_ : b.digits_;
  Natural sum;
  sum.digits_.reserve(longer.size() + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < longer.size(); ++i) {
    carry += static_cast<std::uint64_t>(longer[i]) + (i < shorter.size() ? shorter[i] : 0);
    sum.digits_.push_back(static_cast<std::uint32_t>(carry));
    carry >>= kDigitBits;
  }
  if (carry != 0) sum.digits_.push_back(static_cast<std::uint32_t>(carry));
  return sum;
}

Natural operator-(const Natural& a, const Natural& b) {
  Natural difference = a;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < difference.digits_.size(); ++i) {
    const std::uint64_t take = borrow + (i < b.digits_.size() ? b.digits_[i] : 0);
    borrow = difference.digits_[i] < take ? 1 : 0;
    difference.digits_[i] = static_cast<std::uint32_t>(difference.digits_[i] - take);
  }
  difference.trim();
  return difference;
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  if (a.is_zero() || b.is_zero()) return product;
  product.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
  for (std::size_t i = 0; i < a.digits_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.digits_.size(); ++j) {
      carry += static_cast<std::uint64_t>(a.digits_[i]) * b.digits_[j] + product.digits_[i + j];
      product.digits_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= kDigitBits;
    }
    product.digits_[i + b.digits_.size()] = static_cast<std::uint32_t>(carry);
  }
  product.trim();
  return product;
}

Natural shift(const Natural& a, std::int64_t shift) {
  Natural result;
  if (a.is_zero() || shift <= -a.num_bits()) return result;
  const std::int64_t whole =
      shift >= 0 ? shift / kDigitBits : -((-shift + kDigitBits - 1) / kDigitBits);
  const auto part = static_cast<int>(shift - whole * kDigitBits);  // 0 ... 31 bits, to the left
  const auto size = static_cast<std::int64_t>(a.digits_.size());
  result.digits_.assign(static_cast<std::size_t>(size + whole + 1), 0);
  for (std::int64_t i = 0; i < size; ++i) {
    const std::uint64_t moved = static_cast<std::uint64_t>(a.digits_[static_cast<std::size_t>(i)])
                                << part;
    const std::int64_t low = i + whole;
    if (low >= 0) {
      result.digits_[static_cast<std::size_t>(low)] |= static_cast<std::uint32_t>(moved);
    }
    if (low + 1 >= 0) {
      result.digits_[static_cast<std::size_t>(low + 1)] |=
          static_cast<std::uint32_t>(moved >> kDigitBits);
    }
  }
  result.trim();
  return result;
}

namespace {

using Digits = std::vector<std::uint32_t>;

// Estimates the next digit of the quotient from the leading digits; the result is at most one too
// large. `at` is the digit of `rest` that has the weight of the divisor's last digit.
std::uint64_t guess_digit(const Digits& rest, std::size_t at, const Digits& divisor) {
  const std::size_t n = divisor.size();
  const std::uint64_t top = divisor[n - 1];
  const std::uint64_t next = n > 1 ? divisor[n - 2] : 0;
  const std::uint64_t third = at + n >= 2 ? rest[at + n - 2] : 0;
  const std::uint64_t head =
      (static_cast<std::uint64_t>(rest[at + n]) << kDigitBits) | rest[at + n - 1];
  std::uint64_t guess = head / top;
  std::uint64_t left = head % top;
  while (guess >> kDigitBits != 0 || guess * next > ((left << kDigitBits) | third)) {
    --guess;
    left += top;
    if (left >> kDigitBits != 0) break;
  }
  return guess;
}

// rest -= factor * divisor, starting at digit `at`. Returns true if the result is negative.
bool subtract_times(std::uint64_t factor, const Digits& divisor, std::size_t at, Digits* rest) {
  std::uint64_t carry = 0;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i <= divisor.size(); ++i) {
    carry += i < divisor.size() ? factor * divisor[i] : 0;
    std::uint32_t& digit = (*rest)[at + i];
    const std::uint64_t take = (carry & 0xffffffffU) + borrow;
    borrow = digit < take ? 1 : 0;
    digit = static_cast<std::uint32_t>(digit - take);
    carry >>= kDigitBits;
  }
  return borrow != 0;
}

void add_back(const Digits& divisor, std::size_t at, Digits* rest) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i <= divisor.size(); ++i) {
    std::uint32_t& digit = (*rest)[at + i];
    carry += static_cast<std::uint64_t>(digit) + (i < divisor.size() ? divisor[i] : 0);
    digit = static_cast<std::uint32_t>(carry);
    carry >>= kDigitBits;
  }
}

}  // namespace

// Algorithm D of Knuth, The Art of Computer Programming, vol. 2, 4.3.1.
Natural::Division divide(const Natural& a, const Natural& b) {
  if (compare(a, b) < 0) return {.quotient = {}, .remainder = a};
  const int normalised = std::countl_zero(b.digits_.back());
  const Natural divisor = shift(b, normalised);
  Natural rest = shift(a, normalised);
  rest.digits_.resize(std::max(a.digits_.size(), rest.digits_.size()) + 1, 0);
  Natural quotient;
  quotient.digits_.assign(rest.digits_.size() - divisor.digits_.size(), 0);
  for (std::size_t j = quotient.digits_.size(); j-- > 0;) {
    std::uint64_t digit = guess_digit(rest.digits_, j, divisor.digits_);
    if (subtract_times(digit, divisor.digits_, j, &rest.digits_)) {
      --digit;
      add_back(divisor.digits_, j, &rest.digits_);
    }
    quotient.digits_[j] = static_cast<std::uint32_t>(digit);
  }
  quotient.trim();
  rest.trim();
  return {.quotient = std::move(quotient), .remainder = shift(rest, -normalised)};
}

Rational::Rational(double value) {
  if (value == 0.0) return;
  sign_ = value < 0.0 ? -1 : 1;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kDoubleBits));
  exponent -= kDoubleBits;
  const int zeros = std::countr_zero(mantissa);
  mantissa >>= zeros;
  exponent += zeros;
  numerator_ = shift(Natural(mantissa), std::max(exponent, 0));
  denominator_ = shift(Natural(1), std::max(-exponent, 0));
}

Rational::Rational(int sign, Natural numerator, Natural denominator) {
  if (numerator.is_zero()) return;
  sign_ = sign;
  const Natural common = calc_gcd(numerator, denominator);
  if (common.is_one()) {
    numerator_ = std::move(numerator);
    denominator_ = std::move(denominator);
  } else {
    numerator_ = divide(numerator, common).quotient;
    denominator_ = divide(denominator, common).quotient;
  }
}

// Computes as many binary digits of the quotient as a double of its size has, and two more for
// rounding.
double Rational::to_double() const {
  if (sign_ == 0) return 0.0;
  std::int64_t lowest = numerator_.num_bits() - denominator_.num_bits() - kDoubleBits - 2;
  lowest = std::max<std::int64_t>(lowest, kLowestBit - 2);
  const auto [quotient, remainder] = divide(shift(numerator_, std::max<std::int64_t>(-lowest, 0)),
                                            shift(denominator_, std::max<std::int64_t>(lowest, 0)));
  // Now value = (quotient + a remainder below 1) 2^lowest, and the remainder only matters if it is
  // not zero.
  const auto spare = static_cast<int>(
      std::max<std::int64_t>(quotient.num_bits() - kDoubleBits, kLowestBit - lowest));
  std::uint64_t kept = shift(quotient, -spare).low_word();
  const Natural cut = quotient - shift(Natural(kept), spare);
  const int half = compare(cut, shift(Natural(1), spare - 1));
  const bool up = half > 0 || (half == 0 && (!remainder.is_zero() || kept % 2 == 1));
  if (up) ++kept;
  return sign_ * std::ldexp(static_cast<double>(kept), static_cast<int>(lowest + spare));
}

Rational operator+(const Rational& a, const Rational& b) {
  if (a.sign_ == 0) return b;
  if (b.sign_ == 0) return a;
  const Natural left = a.numerator_ * b.denominator_;
  const Natural right = b.numerator_ * a.denominator_;
  Natural denominator = a.denominator_ * b.denominator_;
  if (a.sign_ == b.sign_) return {a.sign_, left + right, std::move(denominator)};
  if (compare(left, right) >= 0) return {a.sign_, left - right, std::move(denominator)};
  return {b.sign_, right - left, std::move(denominator)};
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational negative = b;
  negative.sign_ = -b.sign_;
  return a + negative;
}

Rational operator*(const Rational& a, const Rational& b) {
  return {a.sign_ * b.sign_, a.numerator_ * b.numerator_, a.denominator_ * b.denominator_};
}

Rational operator/(const Rational& a, const Rational& b) {
  return {a.sign_ * b.sign_, a.numerator_ * b.denominator_, a.denominator_ * b.numerator_};
}

bool operator==(const Rational& a, const Rational& b) {
  return a.sign_ == b.sign_ && compare(a.numerator_, b.numerator_) == 0 &&
         compare(a.denominator_, b.denominator_) == 0;
}

bool operator<(const Rational& a, const Rational& b) {
  if (a.sign_ != b.sign_) return a.sign_ < b.sign_;
  const int order = compare(a.numerator_ * b.denominator_, b.numerator_ * a.denominator_);
  return a.sign_ > 0 ? order < 0 : order > 0;
}

}  // namespace tenpin::complementarity
