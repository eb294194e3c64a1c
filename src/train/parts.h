// What the training loop stands on. Each part is an interface of one or two calls, free of tensors,
// so that a test can put a fake in its place; what they work on together (model, gradient,
// optimizer state) belongs to their implementations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/progress.h"
#include "train/update.h"

namespace heed {

// Leaves in the one gradient buffer the gradient of the mean loss over all target tokens of an update,
// and gives the sums over them, of all processes. Throws Interrupted where a signal arrives between
// two batches.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual TokenSums gradient(const Update& update) = 0;
};

// Turns the gradient into a step of the parameters.
class Stepper {
 public:
  virtual ~Stepper() = default;
  // Of the whole gradient; not finite if any part of it is not.
  virtual double gradient_norm() = 0;
  // The gradient is multiplied by `scale` first.
  virtual void step(double rate, double scale) = 0;
  virtual bool parameters_are_finite() = 0;
};

// A line of the validation text, to be looked at.
struct Sample {
  std::string source, reference, translation;
};

struct ValidationReport {
  Validation scores;
  std::vector<Sample> samples;
};

// What ends a validation or a test when a signal has arrived meanwhile.
struct Interrupted {};

class Validator {
 public:
  virtual ~Validator() = default;
  // Of the model as it is after this update. Throws Interrupted.
  virtual ValidationReport validate(int64_t update) = 0;
};

class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;
  // Writes the present state unless its update is saved already, moves the names latest and best,
  // and drops what is not kept.
  virtual void save(const Progress& progress) = 0;
};

// What a line of the log tells.
struct UpdateReport {
  double rate = 0;
  double gradient_norm = 0;
};

class TrainLog {
 public:
  virtual ~TrainLog() = default;
  // After each update: a terminal's line may be drawn anew.
  virtual void tick(const Progress& progress) = 0;
  // Each log_every updates, over progress.since_log.
  virtual void updates(const Progress& progress, const UpdateReport& report) = 0;
  virtual void skipped(const Progress& progress, const std::string& reason) = 0;
  virtual void validated(const Progress& progress, const std::vector<Sample>& samples) = 0;
  virtual void saved(const Progress& progress) = 0;
  virtual void ended(const Progress& progress, const std::string& reason) = 0;
};

// Seconds from any fixed point.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() = 0;
};

}  // namespace heed
