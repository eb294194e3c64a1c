#include "nn/attention/normalizers/dependency_trees.h"

#include "nn/torch.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Score of an arc that no tree has. It is finite, so that differences are not NaN.
constexpr double kNoArc = -1e30, kNoTree = -1e29;

// Logarithms of sums over subtrees, and optionally their derivatives in one direction.
struct Cells {
  Tensor value, tangent;

  Cells unsqueeze(int64_t dim) const {
    return {value.unsqueeze(dim), tangent.defined() ? tangent.unsqueeze(dim) : Tensor()};
  }
  Cells operator+(const Cells& other) const {
    return {value + other.value, tangent.defined() ? tangent + other.tangent : Tensor()};
  }
  // log Σ exp over the last dimension.
  Cells sum() const {
    const Tensor all = value.logsumexp(-1, true);
    const Tensor slope = tangent.defined() ? ((value - all).exp() * tangent).sum(-1) : Tensor();
    return {all.squeeze(-1), slope};
  }
  void set(const Cells& other) const {
    value.copy_(other.value);
    if (tangent.defined()) tangent.copy_(other.tangent);
  }
  // Adds in log space, in place.
  void add(const Cells& other) const {
    const Tensor all = torch::logaddexp(value, other.value);
    if (tangent.defined())
      tangent.copy_((value - all).exp() * tangent + (other.value - all).exp() * other.tangent);
    value.copy_(all);
  }
};

Cells log_of_sum(const Cells& a, const Cells& b) {
  const Cells copy{a.value.clone(), a.tangent.defined() ? a.tangent.clone() : Tensor()};
  copy.add(b);
  return copy;
}

// A cell for each span from s to t.
class Chart {
 public:
  explicit Chart(const Cells& cells) : cells_(cells), size_(cells.value.size(1)) {}
  static Chart empty(const Cells& like) {
    return Chart({torch::full_like(like.value, kNoArc),
                  like.tangent.defined() ? torch::zeros_like(like.tangent) : Tensor()});
  }
  // Spans from s to s + width.  [B,n-width]
  Cells diagonal(int64_t width) const {
    const auto of = [width](const Tensor& x) { return x.diagonal(width, 1, 2); };
    return {of(cells_.value), cells_.tangent.defined() ? of(cells_.tangent) : Tensor()};
  }
  // Left parts of the spans from s to s + width: from s to s + first + k, k < width.
  // [B,n-width,width]
  Cells left_parts(int64_t first, int64_t width) const { return view(first, width, 1); }
  // Right parts of the same spans: from s + first + k to s + width.  [B,n-width,width]
  Cells right_parts(int64_t first, int64_t width) const {
    return view(first * size_ + width, width, size_);
  }
  const Cells& cells() const { return cells_; }

 private:
  Cells view(int64_t begin, int64_t width, int64_t step) const {
    const auto of = [&](const Tensor& x) {
      return x.as_strided({x.size(0), size_ - width, width}, {size_ * size_, size_ + 1, step},
                          begin);
    };
    return {of(cells_.value), cells_.tangent.defined() ? of(cells_.tangent) : Tensor()};
  }

  Cells cells_;  // [B,n,n], contiguous
  int64_t size_;
};

// Spans whose head is at their left or right end. An incomplete span is an arc from the head to the
// other end, whose dependents on the outer side are missing.
struct Charts {
  explicit Charts(const Cells& like)
      : left_incomplete(Chart::empty(like)),
        right_incomplete(Chart::empty(like)),
        left_complete(Chart::empty(like)),
        right_complete(Chart::empty(like)) {}
  Chart left_incomplete, right_incomplete;  // right: the arc goes to the right, the head is at s
  Chart left_complete, right_complete;
};

// Scores of the arcs by their spans: `left` has the head at t, `right` at s.
struct Arcs {
  Chart left, right;
};

Charts inside(const Arcs& arcs, int64_t size) {
  Charts in(arcs.left.cells());
  in.left_complete.diagonal(0).value.zero_();
  in.right_complete.diagonal(0).value.zero_();
  for (int64_t width = 1; width < size; ++width) {
    const Cells halves =
        (in.right_complete.left_parts(0, width) + in.left_complete.right_parts(1, width)).sum();
    in.right_incomplete.diagonal(width).set(halves + arcs.right.diagonal(width));
    in.left_incomplete.diagonal(width).set(halves + arcs.left.diagonal(width));
    in.right_complete.diagonal(width).set(
        (in.right_incomplete.left_parts(1, width) + in.right_complete.right_parts(1, width)).sum());
    in.left_complete.diagonal(width).set(
        (in.left_complete.left_parts(0, width) + in.left_incomplete.right_parts(0, width)).sum());
  }
  return in;
}

// roots [B]: the whole sentence is the complete span from 0 to its root.
Charts outside(const Arcs& arcs, const Charts& in, const Tensor& roots, int64_t size) {
  Charts out(arcs.left.cells());
  out.left_complete.cells().value.select(1, 0).scatter_(1, roots.unsqueeze(1), 0);
  for (int64_t width = size - 1; width > 0; --width) {
    const Cells right = out.right_complete.diagonal(width).unsqueeze(2);
    out.right_incomplete.left_parts(1, width).add(right + in.right_complete.right_parts(1, width));
    out.right_complete.right_parts(1, width).add(right + in.right_incomplete.left_parts(1, width));
    const Cells left = out.left_complete.diagonal(width).unsqueeze(2);
    out.left_complete.left_parts(0, width).add(left + in.left_incomplete.right_parts(0, width));
    out.left_incomplete.right_parts(0, width).add(left + in.left_complete.left_parts(0, width));
    const Cells halves =
        log_of_sum(out.right_incomplete.diagonal(width) + arcs.right.diagonal(width),
                   out.left_incomplete.diagonal(width) + arcs.left.diagonal(width))
            .unsqueeze(2);
    out.right_complete.left_parts(0, width).add(halves + in.left_complete.right_parts(1, width));
    out.left_complete.right_parts(1, width).add(halves + in.right_complete.left_parts(0, width));
  }
  return out;
}

// p of the arcs of one direction, by their spans; or its derivative.  [B,n,n]
Tensor probabilities(const Chart& in, const Chart& out, const Cells& whole) {
  const Cells sum = in.cells() + out.cells();
  const Tensor p = (sum.value - whole.value).clamp_max(0).exp().triu(1);
  return whole.tangent.defined() ? p * (sum.tangent - whole.tangent) : p;
}

// The probabilities; or with `direction` [B,n,n], the derivative along it.
Tensor marginals(const Tensor& scores, const Tensor& mask, const Tensor& roots,
                 const Tensor& direction) {
  const int64_t size = scores.size(1);
  if (scores.numel() == 0) return torch::zeros_like(scores);
  const Tensor others = ~torch::eye(size, mask.options());
  const Tensor open = mask & others;
  // A constant that is added to all heads of a word changes nothing: the best one gets 0.
  const Tensor shifted =
      scores - scores.masked_fill(~open, kNoArc).amax(2, true);  // of no tree if none is open
  const Tensor arcs = shifted.clamp_min(kNoArc).masked_fill(~open, kNoArc);
  const Tensor slopes = direction.defined() ? direction.masked_fill(~open, 0) : Tensor();
  const auto turned = [](const Tensor& x) {
    return x.defined() ? x.transpose(1, 2).contiguous() : Tensor();
  };
  const Cells left{arcs.contiguous(), slopes};
  const Arcs both{Chart(left), Chart({turned(left.value), turned(left.tangent)})};
  const Charts in = inside(both, size), out = outside(both, in, roots, size);
  const auto of_roots = [&](const Tensor& x) {
    return x.defined() ? x.select(1, 0).gather(1, roots.unsqueeze(1)).unsqueeze(2) : Tensor();
  };
  const Cells& sentences = in.left_complete.cells();
  const Cells whole{of_roots(sentences.value), of_roots(sentences.tangent)};  // log Z [B,1,1]
  const Tensor p = probabilities(in.left_incomplete, out.left_incomplete, whole) +
                   turned(probabilities(in.right_incomplete, out.right_incomplete, whole));
  return p.masked_fill(~open | (whole.value < kNoTree), 0);
}

// p is the gradient of log Z, so its Jacobian is symmetric: the product of the Jacobian and a gradient
// is the derivative of p along that gradient.
struct Marginals : torch::autograd::Function<Marginals> {
  // In double: p is the exponential of a difference between sums over a whole sentence.
  static Tensor forward(AutogradContext* context, const Tensor& scores, const Tensor& mask,
                        const Tensor& roots) {
    const Tensor exact = scores.to(torch::kDouble);
    context->save_for_backward({exact, mask, roots});
    return marginals(exact, mask, roots, {}).to(scores.scalar_type());
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor gradient = gradients[0].to(torch::kDouble);
    return {marginals(saved[0], saved[1], saved[2], gradient).to(gradients[0].scalar_type()),
            Tensor(), Tensor()};
  }
};

}  // namespace

Tensor arc_probabilities(const Tensor& scores, const Tensor& mask, const Tensor& roots) {
  return Marginals::apply(scores, mask, roots);
}

}  // namespace heed
