// Interfaces of the training loop. They use no tensors, so a test can replace each by a fake.
// Shared objects (model, gradient, optimizer state) belong to the implementations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "run/progress.h"
#include "train/update.h"

namespace heed {

// Stores in the gradient buffer the gradient of the mean loss over all target tokens of an update,
// and returns the sums over these tokens, of all processes. Throws Interrupted if a signal arrives
// between two batches.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual TokenSums gradient(const Update& update) = 0;
  // Repeats the computation with the present parameters, for the first batch only and without
  // interruption by signals, as a check of these parameters.
  virtual TokenSums gradient_again(const Update& update) = 0;
  // Seconds, over all updates, in which this process computed nothing: gradients were summed, or
  // other processes were slower.
  virtual double waited() const { return 0; }
};

// Updates the parameters by the gradient.
class Stepper {
 public:
  virtual ~Stepper() = default;
  // Norm of the whole gradient; not finite if any part of it is not.
  virtual double gradient_norm() = 0;
  // Multiplies the gradient by `scale` first.
  virtual void step(double rate, double scale) = 0;
  // Names parameters, their average or optimizer state (those of this process) that are not finite;
  // nullopt if all are finite.
  virtual std::optional<std::string> not_finite() = 0;
};

// A line of the validation text, shown in the log.
struct Sample {
  std::string source, reference, translation;
};

struct ValidationReport {
  Validation scores;
  std::vector<Sample> samples;
};

class Validator {
 public:
  virtual ~Validator() = default;
  // Validates the model after this update. Throws Interrupted.
  virtual ValidationReport validate(int64_t update) = 0;
};

class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;
  // Saves the present state unless its update is saved already, moves the links latest and best,
  // and deletes checkpoints that are no longer kept.
  virtual void save(const Progress& progress) = 0;
};

// Figures of a line of the log.
struct UpdateReport {
  double rate = 0;
  double gradient_norm = 0;
  double waited = 0;  // Workers::waited()
};

class TrainLog {
 public:
  virtual ~TrainLog() = default;
  // After each update: may redraw the progress line of a terminal.
  virtual void tick(const Progress& progress) = 0;
  // Each log_every updates, over progress.since_log.
  virtual void updates(const Progress& progress, const UpdateReport& report) = 0;
  virtual void skipped(const Progress& progress, const std::string& reason) = 0;
  // Before the validation that an end adds, for this reason.
  virtual void validates_at_end(const Progress& progress, const std::string& reason) = 0;
  virtual void validated(const Progress& progress, const std::vector<Sample>& samples) = 0;
  virtual void saved(const Progress& progress) = 0;
  virtual void ended(const Progress& progress, const std::string& reason) = 0;
};

// Seconds since any fixed point.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double now() = 0;
};

}  // namespace heed
