#include "solve/cases.hpp"

#include <cmath>

#include <fmt/format.h>

#include "support/flex_beam.hpp"

namespace trunnion::test {
namespace {

// All start velocities are given: the assembly lets those that are not take any value.
const std::string kBodies =
    "jacobian\nACCGRAV/KGRAV=-9.81\nPART/1, GROUND\nMARKER/1, PART=1\nMARKER/2, PART=1, QP=0.4,0.3,-0.1, "
    "REULER=0.3,0.7,-0.2\nPART/2, MASS=2, CM=20, IP=0.1,0.2,0.25,0.01,0.02,-0.01, QG=0.1,0.2,0.3, "
    "REULER=0.4,0.5,0.6, WX=1, WY=-2, WZ=3, VX=0.5, VY=-0.3, VZ=0.2\nMARKER/20, PART=2\nMARKER/21, PART=2, "
    "QP=0.2,-0.1,0.05, REULER=0.2,0.4,0.1\nPART/3, MASS=1, CM=30, IP=0.05,0.06,0.07, QG=0.8,-0.2,0.4, "
    "REULER=-0.4,0.3,0.9, WX=-1, WY=0.5, WZ=2, VX=0.2, VY=1, VZ=-0.1\nMARKER/30, PART=3\nMARKER/31, PART=3, "
    "QP=-0.1,0.1,0.2, REULER=0.1,-0.3,0.5\n";

// At the axes of marker 20, so that any joint of the two is closed.
const std::string kAtPart2 = "MARKER/3, PART=1, QP=0.1,0.2,0.3, REULER=0.4,0.5,0.6\n";
const std::string kAtPart3 = "MARKER/4, PART=1, QP=0.8,-0.2,0.4, REULER=-0.4,0.3,0.9\n";

// Every type between a part and ground, beside a joint of two parts; a force on what the joint leaves free.
void add_joints(std::vector<StageCase>& all) {
  constexpr const char* kTypes[] = {"REVOLUTE",  "TRANSLATIONAL", "CYLINDRICAL", "SPHERICAL",
                                    "UNIVERSAL", "HOOKE",         "FIXED",       "PLANAR",
                                    "CONVEL",    "SCREW",         "RACKPIN"};
  const auto add = [&](const std::string& name, const std::string& joint) {
    all.push_back({name, kAtPart2 + joint +
                             "JOINT/2, SPHERICAL, I=31, J=21\n"
                             "SFORCE/1, TRANSLATION, I=30, J=20, FUNCTION=-2*DM(30,20)\n"});
  };
  for (const std::string type : kTypes) {
    const std::string more = type == "SCREW" ? ", PITCH=0.3" : type == "RACKPIN" ? ", PD=0.2" : "";
    // Shafts of a constant-velocity joint point away from it.
    const bool away = type == "CONVEL";
    add("joint " + type, (away ? "MARKER/22, PART=2, REULER=0,180D,0\n" : "") +
                             fmt::format("JOINT/1, {}, I={}, J=3{}\n", type, away ? 22 : 20, more));
  }
  for (const char* type : {"ATPOINT", "INLINE", "INPLANE", "ORIENTATION", "PARALLEL_AXES", "PERPENDICULAR"})
    add(fmt::format("primitive {}", type), fmt::format("JPRIM/1, {}, I=20, J=3\n", type));
}

std::string numbers(int count, double first, double step) {
  std::string text;
  for (int k = 0; k < count; ++k)
    text += fmt::format("{}{:.6g}",
                        k == 0        ? ""
                        : k % 12 == 0 ? "\n, "
                                      : ", ",
                        first + std::fmod(step * k, 7.3));
  return text;
}
// A closed curve near the unit circle, by nine points.
std::string curve(int id, double size, double out_of_plane) {
  std::string text = fmt::format("MATRIX/{}, FULL=RORDER, ROWS=9, COLUMNS=3, VALUES=", id);
  for (int k = 0; k < 9; ++k) {
    const double a = 2 * M_PI * (k % 8) / 8;
    text += fmt::format("{}{:.12g},{:.12g},{:.12g}", k == 0 ? "" : "\n, ",
                        size * std::cos(a) * (1 + 0.1 * std::sin(a)), 0.8 * size * std::sin(a),
                        out_of_plane * std::sin(2 * a));
  }
  return text + fmt::format("\nCURVE/{0}, CLOSED, MATRIX={0}\n", id);
}

const std::string kTwoHinges =
    kAtPart2 + kAtPart3 + "JOINT/1, REVOLUTE, I=20, J=3\nJOINT/2, REVOLUTE, I=30, J=4\n";

void add_constraints(std::vector<StageCase>& all) {
  all.push_back({"gear", kTwoHinges + "MARKER/5, PART=1, QP=0.4,0,0.2, REULER=0.7,0.3,0\n"
                                      "GEAR/1, JOINTS=1,2, CV=5\n"
                                      "SFORCE/1, ROTATION, I=20, J=3, FUNCTION=-2*AZ(20,3)\n"});
  all.push_back({"point on a curve", "MARKER/39, PART=3, FLOATING\n" + curve(1, 1.0, 0.2) +
                                         "PTCV/1, I=21, JFLOAT=39, CURVE=1, RM=31\n"
                                         "SPRINGDAMPER/1, TRANSLATION, I=20, J=2, K=30, C=2, LENGTH=0.4\n"});
  // Two wheels in the xy plane; their planes are the same.
  all.push_back(
      {"two curves that touch",
       "PART/6, MASS=2, CM=60, IP=0.1,0.1,0.2, WZ=1\nMARKER/60, PART=6\nMARKER/69, PART=6, FLOATING\n"
       "PART/7, MASS=1, CM=70, IP=0.05,0.05,0.1, QG=1.5,0,0, VY=0.3\nMARKER/70, PART=7\n"
       "MARKER/79, PART=7, FLOATING\nJOINT/6, PLANAR, I=60, J=1\nJOINT/7, PLANAR, I=70, J=1\n" +
           curve(1, 1.0, 0.0) + curve(2, 0.5, 0.0) +
           "CVCV/1, ICURVE=1, JCURVE=2, IRM=60, JRM=70, IFLOAT=69, JFLOAT=79, IDISP=1,0,0, "
           "JDISP=-0.5,0,0\n"
           "SPRINGDAMPER/1, TRANSLATION, I=60, J=2, K=30, C=2, LENGTH=0.4\n"});
}

void add_forces(std::vector<StageCase>& all) {
  all.push_back(
      {"forces by components and by matrices",
       "MARKER/11, PART=1, FLOATING\nMARKER/12, PART=2, FLOATING\n"
       "VFORCE/1, I=31, JFLOAT=12, RM=21, FX=-DX(31,21)\\FY=0.3*VX(31,21)\\FZ=DM(31,21)**2\n"
       "VTORQUE/1, I=30, JFLOAT=11, RM=20, TX=-AX(30,20)\\TY=0.1*WY(30,20)\\TZ=0.2\n"
       "FIELD/1, I=21, J=31, CRATIO=0.05, LENGTH=0.1,0.2,0.3,0.1,0.2,0.3, FORCE=1,2,3,0.4,0.5,0.6\n, "
       "KMATRIX=" +
           numbers(36, 1, 2.9) + "\nMATRIX/8, FULL=CORDER, ROWS=12, COLUMNS=12, VALUES=" +
           numbers(144, 0.5, 1.7) + "\nNFORCE/1, IMARKERS=20,31, J=2, KMATRIX=8, CRATIO=0.02\n"});
  all.push_back({"contact with friction",
                 "GRAPHICS/1, ELLIPSOID, CM=21, XSCALE=0.5, YSCALE=0.6, ZSCALE=0.7\n"
                 "GRAPHICS/2, ELLIPSOID, CM=31, XSCALE=1.2, YSCALE=1.2, ZSCALE=1.2\n"
                 "CONTACT/1, IGEOM=1, JGEOM=2, IMPACT, STIFFNESS=50, EXPONENT=2.2, DAMPING=0.5, DMAX=0.1\n"
                 ", COULOMB_FRICTION=ON, MU_STATIC=0.3, MU_DYNAMIC=0.2\n"
                 ", STICTION_TRANSITION_VELOCITY=5, FRICTION_TRANSITION_VELOCITY=9\n"});
  all.push_back(
      {"linear state equations",
       "VARIABLE/1, FUNCTION=DX(20,30)\nVARIABLE/2, FUNCTION=WZ(30)\nARRAY/1, U, SIZE=2, VARIABLES=1,2\n"
       "ARRAY/2, X, SIZE=2\nARRAY/3, Y, SIZE=1\nMATRIX/1, FULL=RORDER, ROWS=2, COLUMNS=2, "
       "VALUES=-1,0.5,0.2,-2\nMATRIX/2, FULL=RORDER, ROWS=2, COLUMNS=2, VALUES=1,0.3,-0.4,2\n"
       "MATRIX/3, FULL=RORDER, ROWS=1, COLUMNS=2, VALUES=1,-1\nMATRIX/4, FULL=RORDER, ROWS=1, COLUMNS=2, "
       "VALUES=0.2,0.1\nLSE/1, X=2, U=1, Y=3, A=1, B=2, C=3, D=4\n"
       "SFORCE/1, TRANSLATION, I=20, J=30, FUNCTION=-ARYVAL(3,1)*DM(20,30)\n"});
}

void add_flexible(std::vector<StageCase>& all) {
  all.push_back(
      {"beam with mass",
       "MATRIX/1, FULL=RORDER, ROWS=6, COLUMNS=6, VALUES=90,0,0,0,0,0\n, 0,40,0,0,0,0\n, 0,0,50,0,0,0\n, "
       "0,0,0,3,0,0\n, 0,0,0,0,4,0\n, 0,0,0,0,0,5\n"
       "MATRIX/2, FULL=RORDER, ROWS=6, COLUMNS=6, VALUES=1,0,0,0,0,0\n, 0,1,0,0,0,0\n, 0,0,1,0,0,0\n, "
       "0,0,0,0.02,0,0\n, 0,0,0,0,0.01,0\n, 0,0,0,0,0,0.01\n"
       "FE_PART/6, TYPE=3DBEAM, NODE_LABELS=1,2\n, COORDINATES=1,0,0,0,0,0,0,2,0.8,0,0,0,0,0\n"
       ", SECTION_STIFFNESS=1, SECTION_INERTIA=2, SUBDIVIDE=2, CRATIOK=0.01, QG=0,0.5,0, WZ=1\n"
       "MARKER/61, FE_PART=6, NODE_LABEL=1\nMARKER/62, FE_PART=6, NODE_LABEL=2, QP=0.8,0,0\n"
       "JOINT/6, SPHERICAL, I=62, J=31\nFE_LOAD/1, FE_PART=6, FY=-2*SIN(TIME)\\FZ=1\n"});
  const FlexBeam beam{.EA = 210, .EI_y = 0.2, .EI_z = 0.3, .rho_J = 1e-2};
  const Eigen::MatrixXd modes = beam.craig_bampton(1);
  Eigen::MatrixXd load = Eigen::MatrixXd::Zero(6 + modes.cols(), 1);
  load.topRows(6) << 0.1, 1, 0.2, 0.05, 0, 0.5;
  for (Eigen::Index k = 6; k < load.rows(); ++k) load(k, 0) = std::sin(1.0 + static_cast<double>(k));
  static const MatrixText file("every_kind", with_matrix(beam.matrices(modes), "MODLOAD", load));
  all.push_back({"modal body", "MATRIX/1, FILE=" + file.path() +
                                   "\nFLEX_BODY/6, MATRICES=1, QG=0,0.5,0, WZ=1, CRATIO=0.02\n"
                                   "MARKER/61, FLEX_BODY=6, NODE_ID=1\nMARKER/62, FLEX_BODY=6, NODE_ID=11\n"
                                   "JOINT/6, SPHERICAL, I=62, J=31\n"
                                   "MFORCE/1, FLEX_BODY=6, CASE_INDEX=1, SCALE=2*DX(61,20)\n"});
}

// One of each sort of what acts on the other.
void add_mixed(std::vector<StageCase>& all) {
  const std::vector<StageCase> mixed = {
      {"free bodies and forces",
       "SPRINGDAMPER/1, TRANSLATION, I=21, J=31, K=40, C=3, LENGTH=0.5\n"
       "BUSHING/1, I=20, J=2, K=30,40,50, KT=3,4,5, C=1,2,3, CT=0.1,0.2,0.3\n"
       "GFORCE/1, I=30, JFLOAT=11, RM=2, "
       "FX=-3*DX(30,2)*VX(30,2)\\FY=SIN(DY(30,21))\\FZ=-2*DZ(30,1)\\TX=-AX(30,1)\\"
       "TY=0.2*WY(30,1)\\TZ=0.1*WZ(30,20)\nMARKER/11, PART=1, FLOATING\n"
       "SFORCE/1, TRANSLATION, I=20, J=1, FUNCTION=-0.1*ACCM(20)*DM(20,1)\n"},
      {"joints",
       "MARKER/3, PART=1, QP=0.1,0.2,0.3\nJOINT/1, SPHERICAL, I=20, J=3\nJOINT/2, UNIVERSAL, I=21, J=31\n"
       "SPRINGDAMPER/1, ROTATION, I=31, J=21, KT=2, CT=0.1\n"},
      {"primitives",
       "MARKER/3, PART=1, QP=0.1,0.2,0.3, REULER=0.4,0.5,0.6\nJPRIM/1, INPLANE, I=20, J=3\nJPRIM/2, "
       "PERPENDICULAR, I=30, J=20\n"
       "JPRIM/3, INLINE, I=31, J=2\nJOINT/9, CONVEL, I=21, J=30\n"},
      {"motion and velocity rows",
       "MARKER/3, PART=1, QP=0.1,0.2,0.3, REULER=0.4,0.5,0.6\nJOINT/1, REVOLUTE, I=20, J=3\n"
       "MOTION/1, JOINT=1, ROTATIONAL, FUNCTION=0.4*SIN(3*TIME)\n"
       "MOTION/2, I=30, J=2, Z, VELOCITY, FUNCTION=0.3*COS(TIME)\n"
       "GCON/1, FUNCTION=VX(30)*DY(30)-0.2*VZ(30)\n"},
      {"states, variables and a controller",
       "VARIABLE/1, FUNCTION=DX(20,1)*VM(20)+0.3*VARVAL(2)\nVARIABLE/2, FUNCTION=SIN(DIF(1))+TIME\n"
       "DIFF/1, IC=0.2, FUNCTION=-3*DIF(1)+DZ(30,1)*VARVAL(1)\n"
       "DIFF/2, IC=0.1,0.2, IMPLICIT, FUNCTION=DIF1(2)+0.5*DIF(2)**3-AZ(20,1)\n"
       "VARIABLE/3, FUNCTION=VX(30)\nVARIABLE/4, FUNCTION=DIF(2)\nARRAY/1, U, SIZE=1, VARIABLES=3\nARRAY/2, "
       "X, SIZE=2\nARRAY/3, Y, SIZE=1\n"
       "ARRAY/4, IC, SIZE=2, NUMBERS=1,0.5\nARRAY/5, IC, SIZE=3, NUMBERS=1,0.4,0.1\nTFSISO/1, X=2, U=1, Y=3, "
       "NUM=4, DEN=5\n"
       "SFORCE/1, TRANSLATION, I=20, J=30, FUNCTION=-VARVAL(1)+2*DIF(1)-ARYVAL(3,1)\n"},
      {"reactions that are read",
       "MARKER/3, PART=1, QP=0.1,0.2,0.3\nJOINT/1, SPHERICAL, I=20, J=3\n"
       "SFORCE/1, ROTATION, I=30, J=2, ACTIONONLY, FUNCTION=-0.05*JOINT(1,0,1,0)*WZ(30,1)\n"
       "VARIABLE/1, FUNCTION=JOINT(1,1,3,0)\nSFORCE/2, TRANSLATION, I=30, J=1, FUNCTION=0.02*VARVAL(1)\n"},
      {"curve, coupler and friction",
       "MARKER/3, PART=1, QP=0.1,0.2,0.3, REULER=0.4,0.5,0.6\nJOINT/1, REVOLUTE, I=20, J=3\nMARKER/4, "
       "PART=1, QP=0.8,-0.2,0.4, REULER=-0.4,0.3,0.9\n"
       "JOINT/2, CYLINDRICAL, I=30, J=4\nCOUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,-2\n"
       "FRICTION/1, JOINT=1, MU_STATIC=0.3, MU_DYNAMIC=0.2, STICTION_TRANSITION_VELOCITY=0.1, "
       "PIN_RADIUS=0.05\n"},
      {"planar part and point mass",
       "PART/4, PLANAR, MASS=1, CM=40, IP=0.1,0.1,0.2, QG=1,0,0, REULER=0.3,0,0, VX=1, WZ=2\nMARKER/40, "
       "PART=4\nMARKER/41, PART=4, QP=0.2,0.1,0\n"
       "POINT_MASS/5, MASS=0.5, CM=50, QG=0,1,0.2, VX=0.4\nMARKER/50, POINT_MASS=5\n"
       "SPRINGDAMPER/1, TRANSLATION, I=41, J=31, K=40, C=3, LENGTH=0.5\nSPRINGDAMPER/2, TRANSLATION, I=50, "
       "J=21, K=30, C=2, LENGTH=0.4\n"
       "BEAM/1, I=31, J=21, LENGTH=0.5, AREA=1E-4, IXX=2E-9, IYY=1E-9, IZZ=1E-9, EMOD=1E5, GMOD=4E4, "
       "CRATIO=0.01\n"},
  };
  all.insert(all.end(), mixed.begin(), mixed.end());
}

}  // namespace

const std::vector<StageCase>& stage_cases() {
  static const std::vector<StageCase> all = [] {
    std::vector<StageCase> cases;
    add_mixed(cases);
    add_joints(cases);
    add_constraints(cases);
    add_forces(cases);
    add_flexible(cases);
    for (StageCase& c : cases) c.text = kBodies + c.text + "END\n";
    return cases;
  }();
  return all;
}

}  // namespace trunnion::test
