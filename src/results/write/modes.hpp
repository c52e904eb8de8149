#pragma once
// Mode shapes in the results store: group /modes/1, /modes/2, … one for each LINEAR/EIGENSOL (docs/manual/results.md has the layout).

#include <array>
#include <complex>
#include <string>
#include <vector>

namespace trunnion::results {

struct ModeSet {
  // Of one part: displacement of its mass centre and rotation vector, both in ground axes.
  using PartShape = std::array<std::complex<double>, 6>;
  // The mass centre, and the quaternion x y z w of the CM marker's axes.
  using PartPose = std::array<double, 7>;

  double time = 0;
  std::vector<int> numbers;                   // of each mode in the table of eigenvalues, from 1
  std::vector<std::complex<double>> values;   // of exp(value t), in the model's unit of time
  std::vector<double> frequencies, dampings;  // Hz, undamped; share of critical damping
  std::vector<std::string> parts;             // names of channel groups: "PART/2"
  std::vector<PartPose> poses;                // of each part
  std::vector<PartShape> shapes;              // mode by mode, each part after part
  // Of flexible bodies: their modal coordinates, one body after the other.
  std::vector<std::string> flexible;        // "FLEX_BODY/2"
  std::vector<int> coordinates;             // how many of each
  std::vector<double> deformation;          // where it was linearised
  std::vector<std::complex<double>> modal;  // mode by mode, as many as `deformation` has
};

// Adds sets to a store that was closed, after those it has. False, with the reason in `error`, where it cannot be written.
bool add_modes(const std::string& store, const std::vector<ModeSet>& sets, std::string& error);
// All sets of a store; none where the run had no LINEAR.
bool read_modes(const std::string& store, std::vector<ModeSet>& sets, std::string& error);

}  // namespace trunnion::results
