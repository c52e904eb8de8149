#include "integrate/mechanisms.hpp"

#include <vector>

#include "dynamics/mechanisms.hpp"

namespace trunnion::test {

namespace {

// Two bars in space: a spherical joint, a revolute one with a skew axis, turning out of plane.
constexpr const char* kDoublePendulum = R"(double pendulum
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1.5, CM=21, IP=0.02,0.3,0.31, QG=0.5,0,0, WZ=0.8
MARKER/21, PART=2
MARKER/22, PART=2, QP=-0.5,0,0
MARKER/23, PART=2, QP=0.5,0,0, REULER=20D,70D,10D
PART/3, MASS=0.7, CM=31, IP=0.01,0.1,0.12, QG=1.4,0,0, WY=1.1
MARKER/31, PART=3
MARKER/32, PART=3, QP=-0.4,0,0, REULER=20D,70D,10D
JOINT/1, SPHERICAL, I=22, J=1
JOINT/2, REVOLUTE, I=32, J=23
ACCGRAV/KGRAV=-9.81
END
)";

// A fast top held at its tip (Brüls, Cardona, Arnold).
constexpr const char* kHeavyTop = R"(heavy top
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=15, CM=21, IP=0.234375,0.46875,0.234375, QG=0,1,0, WY=150, WZ=-4.61538
MARKER/21, PART=2
MARKER/22, PART=2, QP=0,-1,0
JOINT/1, SPHERICAL, I=22, J=1
ACCGRAV/KGRAV=-9.81
END
)";

// A turning crank carries a pendulum; a controller with two states and a variable acts on it.
constexpr const char* kDriven = R"(driven pendulum with a controller
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
PART/2, MASS=1, CM=21, IP=0.1,0.1,0.1
MARKER/21, PART=2
MARKER/22, PART=2, QP=0.4,0,0, REULER=0,30D,0
PART/3, MASS=0.7, CM=31, IP=0.01,0.1,0.12, QG=0.9,0,0
MARKER/31, PART=3
MARKER/32, PART=3, QP=-0.5,0,0, REULER=0,30D,0
JOINT/1, REVOLUTE, I=21, J=1
MOTION/1, JOINT=1, ROTATION, FUNCTION=0.8*SIN(3*TIME)
JOINT/2, REVOLUTE, I=32, J=22
DIFF/1, IC=0.2, FUNCTION=4*(AZ(32,22)-DIF(1))
DIFF/2, IC=0, FUNCTION=DIF(1)-0.5*DIF(2)*DIF(2)
VARIABLE/1, FUNCTION=-2*DIF(1)-0.6*DIF(2)
SFORCE/1, ROTATIONAL, I=32, J=22, FUNCTION=VARVAL(1)-0.1*WZ(32,22)
ACCGRAV/JGRAV=-9.81
END
)";

// A crank about z turns a rocker about a skew axis through a rod on a ball and a universal joint; a torque with a lag drives it.
constexpr const char* kSpatialFourBar = R"(four-bar in space
UNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND
PART/1, GROUND
MARKER/1, PART=1
MARKER/2, PART=1, QP=0.9,0,0.1, REULER=20D,35D,0
PART/2, MASS=1.2, CM=21, IP=0.01,0.02,0.03, WZ=6
MARKER/21, PART=2, QP=0.15,0,0
MARKER/22, PART=2
MARKER/23, PART=2, QP=0.3,0,0
PART/3, MASS=0.8, CM=31, IP=0.004,0.05,0.052, QG=0.3,0,0
MARKER/31, PART=3, QP=0.3,0.25,0.05
MARKER/32, PART=3
MARKER/33, PART=3, QP=0.6,0.5,0.1
PART/4, MASS=1.5, CM=41, IP=0.04,0.01,0.05, QG=0.9,0,0.1
MARKER/41, PART=4, QP=0,0.25,0
MARKER/42, PART=4, REULER=20D,35D,0
MARKER/43, PART=4, QP=0,0.5,0, REULER=90D,90D,0
JOINT/1, REVOLUTE, I=22, J=1
JOINT/2, SPHERICAL, I=32, J=23
JOINT/3, UNIVERSAL, I=33, J=43
JOINT/4, REVOLUTE, I=42, J=2
DIFF/1, IC=0, FUNCTION=5*(AZ(22,1)-DIF(1))
SFORCE/1, ROTATIONAL, I=22, J=1, FUNCTION=2*SIN(AZ(22,1))-1.5*DIF(1)-0.1*WZ(22,1)
ACCGRAV/JGRAV=-9.81
END
)";

}  // namespace

std::span<const Moving> moving_mechanisms() {
  static const std::vector<Moving> all = {{"double pendulum", kDoublePendulum, 0.4, 1},
                                          {"heavy top", kHeavyTop, 0.1, 2},
                                          {"driven", kDriven, 0.4, 1}};
  return all;
}

std::span<const Moving> loops() {
  // Where the squeezer's links are not near a turning point, whose errors have not come to their leading term yet.
  static const std::vector<Moving> all = {{"Andrews", andrews("GSTIFF"), 0.006, 1},
                                          {"four-bar in space", kSpatialFourBar, 0.4, 4}};
  return all;
}

}  // namespace trunnion::test
