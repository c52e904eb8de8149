#pragma once
// Model texts of published benchmark mechanisms, written from their published data.

#include <string>

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

std::string simple_pendulum(const std::string& integrator);  // A01
std::string heavy_top(const std::string& integrator);

}  // namespace trunnion::test
