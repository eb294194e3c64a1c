// The heads of a Neural Turing Machine, as the references take them, from the parameters of a module.
#pragma once

#include "nn/compare.h"
#include "reference/memory.h"

namespace heed {

// The memory of a module, whose parameters begin with `of`.
class TuringHeads {
 public:
  TuringHeads(std::map<std::string, Tensor> parameters, std::string of)
      : parameters_(std::move(parameters)), of_(std::move(of)) {}

  bool has(const std::string& name) const { return parameters_.contains(of_ + name); }
  reference::Matrix matrix(const std::string& name) const {
    return matrix_of(parameters_.at(of_ + name));
  }
  reference::Vector vector(const std::string& name) const {
    return vector_of(parameters_.at(of_ + name));
  }
  // Read heads and write head.
  size_t count() const { return matrix("addressing.gain").rows; }
  size_t read_heads() const { return has("writer.add.bias") ? count() - 1 : count(); }

  // Head h of the query; the write head is the last one.
  reference::TuringHead head(const reference::Vector& query, size_t h) const {
    const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
    const reference::Vector how = reference::sum(
        part(product(matrix("addressing.how.weight"), query), h), matrix("addressing.gain").row(h));
    reference::TuringHead head{
        .key =
            part(affine(matrix("addressing.key.weight"), vector("addressing.key.bias"), query), h),
        .beta = softplus(how[0]),
        .gate = reference::sigmoid(how[1]),
        .gamma = 1 + softplus(how[2]),
        .shifts = {how.begin() + 3, how.end()}};
    double total = 0;
    for (double& s : head.shifts) total += s = std::exp(s);
    for (double& s : head.shifts) s /= total;
    return head;
  }
  void write(reference::Matrix& memory, const reference::Vector& w,
             const reference::Vector& query) const {
    reference::Vector e = affine(matrix("writer.erase.weight"), vector("writer.erase.bias"), query);
    for (double& v : e) v = reference::sigmoid(v);
    turing_write(memory, w, e,
                 affine(matrix("writer.add.weight"), vector("writer.add.bias"), query));
  }
  // Weights before the first query.
  static reference::Vector first_weights(size_t length) {
    reference::Vector w(length, 0.0);
    w.at(0) = 1;
    return w;
  }

 private:
  // Numbers of head h in a vector of all heads.
  reference::Vector part(const reference::Vector& all, size_t h) const {
    const auto width = static_cast<std::ptrdiff_t>(all.size() / count()),
               begin = width * static_cast<std::ptrdiff_t>(h);
    return {all.begin() + begin, all.begin() + begin + width};
  }

  std::map<std::string, Tensor> parameters_;
  std::string of_;
};

}  // namespace heed
