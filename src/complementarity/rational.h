// Exact rational numbers. Every double is one, and so is every sum, product and quotient of them.
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
  // a >= b.
  friend Natural operator-(const Natural& a, const Natural& b);
  friend Natural operator*(const Natural& a, const Natural& b);
  // times 2^shift; negative: over it, rounded down.
  friend Natural shift(const Natural& a, std::int64_t shift);
  // b is not zero.
  struct Division;
  friend Division divide(const Natural& a, const Natural& b);

 private:
  void trim();

  std::vector<std::uint32_t> digits_;  // to the base 2^32, least first, the last not 0
};

struct Natural::Division {
  Natural quotient, remainder;
};

// Sign and lowest terms, so that equal numbers have equal parts.
class Rational {
 public:
  Rational() = default;
  explicit Rational(double value);  // finite

  [[nodiscard]] int sign() const { return sign_; }
  // The nearest double; of two equally near the even one.
  [[nodiscard]] double to_double() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  // b is not zero
  friend bool operator==(const Rational& a, const Rational& b);
  friend bool operator<(const Rational& a, const Rational& b);

 private:
  Rational(int sign, Natural numerator, Natural denominator);

  int sign_ = 0;
  Natural numerator_;
  Natural denominator_{1};
};

}  // namespace tenpin::complementarity
