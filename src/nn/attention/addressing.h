// Addressing of the heads of a Neural Turing Machine (Graves, Wayne and Danihelka 2014, section
// 3.3). K is the cosine, M(i) row i of the memory, w_{t-1} the previous weights of the head:
//   content         w^c(i) = softmax over i of β K[k, M(i)]                        equations 5, 6
//   interpolation   w^g = g w^c + (1 - g) w_{t-1}                                  equation 7
//   shift           w~(i) = Σ_j w^g(i - j) s(j), j from -r to r, in a circle       equation 8
//   sharpening      w(i) = w~(i)^γ / Σ_j w~(j)^γ                                   equation 9
// The query gives each head its k, β >= 0, 0 < g < 1, s >= 0 with sum 1, and γ >= 1. The circle is
// over the readable rows of a sentence only.
#pragma once

#include <vector>

#include "nn/linear.h"
#include "nn/tensor.h"

namespace heed {

// Addressing parameters of H heads for one query.
struct Address {
  Tensor key;        // k / |k|  [R,H,M]
  Tensor strength;   // β [R,H,1]
  Tensor gate;       // g [R,H,1]
  Tensor sharpness;  // γ [R,H,1]
  Tensor shift;      // s [R,H,2r+1], of j = -r … r; undefined without shift
};

// Readable memory rows and their neighbours on the circle.
struct Circle {
  Circle(const Tensor& lengths, int64_t positions, int64_t radius);
  Tensor mask;        // [R,1,S]
  Tensor neighbours;  // i - j in the circle, of each shift j  [R,2r+1,S]
};

class Addressing final : public Module {
 public:
  // radius: r; 0: no shift.
  Addressing(int64_t query, int64_t heads, int64_t width, int64_t radius);
  // For each of the queries [R,T,W].
  std::vector<Address> addresses(const Tensor& queries);
  // directions: M(i) / |M(i)| [R,S,M]; previous: w_{t-1} [R,H,S]. Exactly 0 where circle.mask is
  // false.  [R,H,S]
  static Tensor weights(const Address& address, const Tensor& directions, const Tensor& previous,
                        const Circle& circle);

 private:
  int64_t heads_, shifts_;
  Linear key_, how_;
  Tensor gain_;  // added to β, g, γ and s before their activation functions  [H,3+shifts]
};

}  // namespace heed
