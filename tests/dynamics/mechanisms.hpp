#pragma once
// Model texts of published benchmark mechanisms, written from their published data.

#include <string>
#include <vector>

namespace trunnion::test {

// Andrews' squeezer (IVP test set; IFToMM A03), metres. AZ of the crank in REQUEST/1.F2, point F in F3 and F4.
std::string andrews(const std::string& integrator);
// With the crank at another angle; the assembly finds the others.
std::string andrews_at(double beta, const std::string& integrator);

// The car axis (IVP test set): two masses on springs over a swaying axle, the rod between them as a rigid body. Ends of the
// rod in REQUEST/1 (F2 to F4, F6: x and y, left then right) and their velocities in REQUEST/2.
std::string car_axis(const std::string& integrator);

// The stiff flyball governor (IFToMM A05). PART/3 is the slider, PART/4 a rod with its ball, 0.9717 from its hinge.
std::string governor(const std::string& integrator);
extern const double kGovernorBallArm;

// N windows of rods on spatial revolutes (IFToMM A02). PART/10 is the first standing rod.
std::string four_bars(int windows, const std::string& integrator);

// Six rods in a ring (IFToMM A04). Point P2 in REQUEST/1.
std::string bricard(const std::string& integrator);

// A delta robot without drives: three hinged arms, six rods with ball ends, a platform (PART/2). Its rods are `phi` below the level at the
// start, and it is at rest: it falls and swings straight up and down. Six rows lose the rank of two where the rods lie level, of one where
// they hang.
struct DeltaRobot {
  double base = 0.2, platform = 0.05, arm = 0.4, rod = 0.22,
         apart = 0.06;  // radii, lengths; the two rods of an arm
  double platform_mass = 1, arm_mass = 0.5, rod_mass = 0.1, arm_inertia = 7e-3;
  double phi = -0.6;
  double arm_angle(double rods) const;  // below the level
  double height(double rods) const;     // of the platform
  // By its one freedom φ, integrated apart.
  std::vector<double> heights(double step, int count) const;
};
std::string delta_robot(const DeltaRobot& d, const std::string& integrator);

std::string simple_pendulum(const std::string& integrator);  // A01
std::string heavy_top(const std::string& integrator);

}  // namespace trunnion::test
