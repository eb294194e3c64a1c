// Vectors and matrices of the reference implementations: double precision, plain loops, nothing of
// src/. Each function follows the paper that it cites, to be read beside it, not to be fast.
#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace reference {

using Vector = std::vector<double>;

struct Matrix {
  size_t rows = 0, columns = 0;
  Vector numbers;  // row by row

  Matrix() = default;
  Matrix(size_t rows_, size_t columns_) : Matrix(rows_, columns_, Vector(rows_ * columns_, 0.0)) {}
  Matrix(size_t rows_, size_t columns_, Vector numbers_)
      : rows(rows_), columns(columns_), numbers(std::move(numbers_)) {
    if (numbers.size() != rows * columns) throw std::invalid_argument("size of a matrix");
  }
  double& operator()(size_t i, size_t j) { return numbers.at(i * columns + j); }
  double operator()(size_t i, size_t j) const { return numbers.at(i * columns + j); }
  Vector row(size_t i) const {
    return {numbers.begin() + static_cast<std::ptrdiff_t>(i * columns),
            numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns)};
  }
  void set_row(size_t i, const Vector& values) {
    for (size_t j = 0; j < columns; ++j) (*this)(i, j) = values.at(j);
  }
};

// W x, [out,in] [in] -> [out].
inline Vector product(const Matrix& w, const Vector& x) {
  if (x.size() != w.columns) throw std::invalid_argument("width of a product");
  Vector y(w.rows, 0.0);
  for (size_t i = 0; i < w.rows; ++i) {
    for (size_t j = 0; j < w.columns; ++j) y[i] += w(i, j) * x[j];
  }
  return y;
}

inline Vector times(const Vector& a, const Vector& b) {
  Vector y(a.size());
  for (size_t i = 0; i < a.size(); ++i) y[i] = a[i] * b.at(i);
  return y;
}

inline Vector sum(const Vector& a, const Vector& b) {
  Vector y(a.size());
  for (size_t i = 0; i < a.size(); ++i) y[i] = a[i] + b.at(i);
  return y;
}

// W x + b; without b if it is empty.
inline Vector affine(const Matrix& w, const Vector& b, const Vector& x) {
  return b.empty() ? product(w, x) : sum(product(w, x), b);
}

inline double dot(const Vector& a, const Vector& b) {
  double y = 0;
  for (size_t i = 0; i < a.size(); ++i) y += a[i] * b.at(i);
  return y;
}

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// Applies `change`, a function of a vector, to every row of x.
template <class Change>
Matrix each_row(const Matrix& x, const Change& change) {
  Matrix y;
  for (size_t i = 0; i < x.rows; ++i) {
    const Vector row = change(x.row(i));
    if (i == 0) y = Matrix(x.rows, row.size());
    y.set_row(i, row);
  }
  return y;
}

inline Matrix affine(const Matrix& w, const Vector& b, const Matrix& x) {
  return each_row(x, [&](const Vector& row) { return affine(w, b, row); });
}

}  // namespace reference
