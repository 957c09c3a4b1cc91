// Exact rational numbers. Every double is one, and so is every sum, product and quotient of them.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace tenpin::complementarity {

using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

}  // namespace tenpin::complementarity
