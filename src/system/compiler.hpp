#pragma once
// The work behind compile(): one pass for bodies, one for constraints. Split over compile_*.cpp by chapter.

#include <map>
#include <set>

#include "system/compile.hpp"
#include "system/frames.hpp"

namespace trunnion::system {

class Compiler {
 public:
  Compiler(const model::Model& model, const Inactive& inactive, core::Diagnostics& diagnostics, double time);
  std::shared_ptr<const System> run();

 private:
  // --- compile_bodies.cpp
  void bodies();
  void part(const model::Part& part);
  void point_mass(const model::PointMass& mass);
  void markers();
  void exact(const model::Part& part, assembly::BlockId block, const Frame& X_GB, const math::Vec3& p_GC);
  void velocities(const model::Part& part, assembly::BlockId block, const Frame& X_GB);
  void planar_start(const model::Part& part, assembly::BlockId block, const assembly::Plane& plane);
  void set_start();
  // --- compile_constraints.cpp
  void constraints();
  void joint(const model::Joint& joint);
  void jprim(const model::Jprim& joint);
  void motion(const model::Motion& motion);
  void coupler(const model::Coupler& coupler);
  void gear(const model::Gear& gear);
  void gcon(const model::Gcon& gcon);
  void ptcv(const model::Ptcv& ptcv);
  void cvcv(const model::Cvcv& cvcv);
  void start_values(const model::Joint& joint, assembly::MarkerId i, assembly::MarkerId j);
  // --- compile_functions.cpp
  std::shared_ptr<const expr::Program> program(const model::Expression& expression);
  std::optional<int> time_function(const model::Expression& expression, const std::string& owner,
                                   core::Span span);
  void read_through(int index, TimeFunction& function);
  void tables();
  const math::Curve* curve(int id, const std::string& owner, core::Span span);

  // --- shared
  template <class T> std::string name(const T& statement) const {
    return label(model::schema_of(model::kind_of<T>()), statement);
  }
  template <class T> bool active(const T& statement) const {
    return !inactive_.contains({model::kind_of<T>().index, statement.id});
  }
  void error(core::Span span, const std::string& owner, std::string message, std::string hint = {}) {
    diagnostics_.error(span, owner, std::move(message), std::move(hint));
  }
  // The frame of a marker; reports where its body is not one the solver has.
  std::optional<assembly::MarkerId> marker(int id, const std::string& owner, core::Span span);
  // `key` names the place where a counted angle is kept.
  elements::Measure measure(elements::MeasureKind kind, assembly::MarkerId i, assembly::MarkerId j,
                            double start, const std::string& key);
  elements::Measure joint_measure(bool turn, assembly::MarkerId i, assembly::MarkerId j, double start,
                                  const std::string& key);
  void add_row(elements::MeasureRow row, model::Kind kind, int id, const std::string& owner,
               assembly::MarkerId i, assembly::MarkerId j);
  int memory(double value, std::string key);  // a new place in State::memory, known by its key

  const model::Model& model_;
  std::set<std::pair<int, int>> inactive_;  // (kind, id)
  std::set<int> driven_joints_;             // that have a MOTION
  core::Diagnostics& diagnostics_;
  double time_;
  Frames frames_;
  std::shared_ptr<System> system_;
  std::map<std::pair<int, int>, assembly::BlockId> blocks_;  // (kind, id) → block
  std::map<int, math::Vec3> p_BC_;                           // mass centre of a PART in its body frame
  std::vector<std::pair<assembly::BlockId, assembly::Pose>> poses_;
  std::vector<std::pair<assembly::BlockId, Eigen::VectorXd>> speeds_;
  std::vector<std::pair<assembly::BlockId, double>> parameters_;  // of curves
  std::vector<double> memory_;
  std::map<std::string, int> functions_;  // by expression text
  std::vector<std::string> function_stack_;
  std::vector<math::Jet> function_values_;  // scratch
};

}  // namespace trunnion::system
