// A chain of rods falling from horizontal, with Simbody:  simbody_chain N spherical|revolute ACCURACY POSITIONS.csv
// Writes the mass centres at t = 1, prints {"cpu": user seconds of the integration, "steps": accepted steps}.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <Simbody.h>
#include <sys/resource.h>

namespace {

using namespace SimTK;

constexpr Real length = 0.1, mass = 1, gravity = 9.81, end = 1;

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

void write_positions(const char* path, const SimbodyMatterSubsystem& matter, const State& state) {
  std::ofstream out(path);
  out.precision(17);
  for (MobilizedBodyIndex b(1); b < matter.getNumBodies(); ++b) {
    const Vec3& p = matter.getMobilizedBody(b).getBodyOriginLocation(state);
    out << p[0] << ',' << p[1] << ',' << p[2] << '\n';
  }
}

void simulate(int rods, bool pin, double accuracy, const char* path) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity weight(forces, matter, Vec3(0, 0, -gravity));
  add_chain(matter, rods, pin);
  const State start = system.realizeTopology();

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
  if (argc != 5) throw std::runtime_error("simbody_chain N spherical|revolute ACCURACY POSITIONS.csv");
  simulate(std::atoi(argv[1]), std::string(argv[2]) == "revolute", std::atof(argv[3]), argv[4]);
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
