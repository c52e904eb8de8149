// A chain of rods falling from horizontal, or N four-bars in a row, with Simbody:
//   simbody_chain N spherical|revolute|four-bars ACCURACY POSITIONS.csv
// Writes the mass centres at the end, prints {"cpu": user seconds of the integration, "steps": accepted steps}.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <Simbody.h>
#include <sys/resource.h>

namespace {

using namespace SimTK;

constexpr Real length = 0.1, mass = 1, gravity = 9.81;

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

Body::Rigid rod() {
  const Real across = mass * length * length / 12;
  return Body::Rigid(MassProperties(mass, Vec3(0), Inertia(across / 10, across, across)));
}

// The rods lie along x, gravity is along -z, the axis of a pin (z of its frame) along y.
MobilizedBody add_rod(MobilizedBody& parent, const Vec3& place, bool pin) {
  const Rotation axis(-Pi / 2, XAxis);
  const Transform on_parent(axis, place), on_rod(axis, Vec3(-length / 2, 0, 0));
  if (pin) return MobilizedBody::Pin(parent, on_parent, rod(), on_rod);
  return MobilizedBody::Ball(parent, on_parent, rod(), on_rod);
}

void add_chain(SimbodyMatterSubsystem& matter, int rods, bool pin) {
  MobilizedBody last = matter.updGround();
  for (int k = 0; k < rods; ++k) last = add_rod(last, Vec3(k == 0 ? 0 : length / 2, 0, 0), pin);
}

// N + 1 rods standing on pins one apart, N on top that hang on the rod to their left and are closed to the one on their right; all of
// length and mass 1 in the plane of x and y.
void add_four_bars(SimbodyMatterSubsystem& matter, int windows) {
  const Body::Rigid rod(MassProperties(1, Vec3(0), Inertia(1. / 12, 1. / 12, 1. / 12)));
  std::vector<MobilizedBody> standing, top;
  for (int k = 0; k <= windows; ++k)
    standing.push_back(MobilizedBody::Pin(matter.updGround(), Vec3(k, 0, 0), rod, Vec3(0, -0.5, 0)));
  for (int k = 0; k < windows; ++k) {
    top.push_back(MobilizedBody::Pin(standing[k], Vec3(0, 0.5, 0), rod, Vec3(-0.5, 0, 0)));
    for (const int axis : {0, 1}) {
      const UnitVec3 normal = axis == 0 ? UnitVec3(XAxis) : UnitVec3(YAxis);
      Constraint::PointInPlane(standing[k + 1], normal, axis == 0 ? 0 : 0.5, top[k], Vec3(0.5, 0, 0));
    }
  }
}

// The standing rods fall to x with 1 rad/s, those on top do not turn.
void start_four_bars(const SimbodyMatterSubsystem& matter, int windows, State& state) {
  for (MobilizedBodyIndex b(1); b < matter.getNumBodies(); ++b)
    matter.getMobilizedBody(b).setOneU(state, 0, b <= windows + 1 ? -1 : 1);
}

void write_positions(const char* path, const SimbodyMatterSubsystem& matter, const State& state) {
  std::ofstream out(path);
  out.precision(17);
  for (MobilizedBodyIndex b(1); b < matter.getNumBodies(); ++b) {
    const Vec3& p = matter.getMobilizedBody(b).getBodyOriginLocation(state);
    out << p[0] << ',' << p[1] << ',' << p[2] << '\n';
  }
}

void simulate(int rods, const std::string& kind, double accuracy, const char* path) {
  const bool loops = kind == "four-bars";
  const Real end = loops ? 0.5 : 1;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity weight(forces, matter, loops ? Vec3(0, -gravity, 0) : Vec3(0, 0, -gravity));
  if (loops) add_four_bars(matter, rods);
  else add_chain(matter, rods, kind == "revolute");
  State start = system.realizeTopology();
  if (loops) start_four_bars(matter, rods, start);

  const double before = user_seconds();
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setFinalTime(end);
  integrator.initialize(start);
  while (integrator.getTime() < end) integrator.stepTo(end);
  const double cpu = user_seconds() - before;

  system.realize(integrator.getState(), Stage::Position);
  write_positions(path, matter, integrator.getState());
  std::printf("{\"cpu\": %.6f, \"steps\": %d}\n", cpu, integrator.getNumStepsTaken());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5)
    throw std::runtime_error("simbody_chain N spherical|revolute|four-bars ACCURACY POSITIONS.csv");
  simulate(std::atoi(argv[1]), argv[2], std::atof(argv[3]), argv[4]);
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
