// Exact rational numbers. Every double is a rational number, and so are sums, products and
// quotients.
#pragma once

#include <cstdint>
#include <vector>

namespace tenpin::complementarity {

// A whole number >= 0 of any size.
class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value);

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_one() const { return digits_.size() == 1 && digits_[0] == 1; }
  [[nodiscard]] bool is_odd() const { return !digits_.empty() && digits_[0] % 2 == 1; }
  // The number of binary digits; 0 for zero.
  [[nodiscard]] std::int64_t num_bits() const;
  // The low 64 binary digits.
  [[nodiscard]] std::uint64_t low_word() const;

  friend int compare(const Natural& a, const Natural& b);
  friend Natural operator+(const Natural& a, const Natural& b);
  // Needs a >= b.
  friend Natural operator-(const Natural& a, const Natural& b);
  friend Natural operator*(const Natural& a, const Natural& b);
  // a times 2^shift; for a negative shift a / 2^-shift, rounded down.
  friend Natural shift(const Natural& a, std::int64_t shift);
  // Needs b != 0.
  struct Division;
  friend Division divide(const Natural& a, const Natural& b);

 private:
  void trim();

  std::vector<std::uint32_t> digits_;  // in base 2^32, least significant first; the last is not 0
};

struct Natural::Division {
  Natural quotient, remainder;
};

// A sign and a fraction in lowest terms, so that equal numbers have equal members.
class Rational {
 public:
  Rational() = default;
  explicit Rational(double value);  // value must be finite

  [[nodiscard]] int sign() const { return sign_; }
  // The nearest double; of two equally near doubles, the even one.
  [[nodiscard]] double to_double() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  // needs b != 0
  friend bool operator==(const Rational& a, const Rational& b);
  friend bool operator<(const Rational& a, const Rational& b);

 private:
  Rational(int sign, Natural numerator, Natural denominator);

  int sign_ = 0;
  Natural numerator_;
  Natural denominator_{1};
};

}  // namespace tenpin::complementarity
