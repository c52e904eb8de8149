#pragma once
// Every formula whose stages are solved one after the other (formulas/staged_table.hpp): linear multistep, Bathe and its relatives, ESDIRK; and
// the single-step ones with auxiliary rates (formulas/single_step_table.hpp), whose stage knows those instead of a past.
//
//   yₖ = Σⱼ aⱼ yⱼ + h (Σⱼ bⱼ ẏⱼ + bₖ ẏₖ)      for y = (chart coordinates, first-order states) and again for the velocities
// The points of the past are expressed in the chart that goes on moving as the last one does, so that the formula acts on an ordinary
// differential equation and keeps its order on rotations through any number of turns.
//
// The rate of a point is that of its coordinates: with the stabilised equations it differs from the velocity by the correction.
// Local error: the embedded solution's difference, or C h³ y⃛ from three rates. Prediction: Zhang et al. (2022), Eqs. 12-17.

#include <array>
#include <optional>
#include <vector>

#include "formulas/single_step_table.hpp"
#include "formulas/staged_table.hpp"
#include "integrate/chart_stage.hpp"
#include "integrate/dense_output.hpp"
#include "integrate/formula.hpp"

namespace trunnion::integrate {

enum class Predictor { usual, constant, cubic, quintic };  // of the rate: from one, two or three points

struct StagedSettings {
  formulas::StagedTable table;
  // Where the row depends on the ratio of this step to the last one.
  formulas::StageRow (*row_of_ratio)(double rho, double ratio) = nullptr;
  std::optional<formulas::SingleStepTable>
      single;               // with auxiliary rates; the table has one stage and no past
  bool stabilised = false;  // SI2
  Predictor predictor = Predictor::usual;
  AmplitudeTest amplitude = {};
};

class Staged final : public Formula {
 public:
  Staged(const assembly::Layout& layout, StagedSettings settings, double error);

  void start(std::span<const assembly::State> past) override;
  void predict(double h, assembly::State& trial) override;
  solve::Outcome step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                      assembly::State& trial) override;
  double error(const assembly::State& trial) override;
  int worst_entry() const override { return norm_.largest(error_); }
  double next_step(double error, double largest) override;
  double smaller_step(double error, Rejection why) override;
  void accept(const assembly::State& trial) override;
  void interpolate(double t, assembly::State& state) const override;
  int order() const override { return settings_.table.order; }
  double h() const override { return h_; }
  std::string remark() override;
  bool reactions_hold() const override { return settings_.table.stages == 1; }

 private:
  // A point that formulas and predictions use: an accepted state or a stage of this step, in the chart of the last accepted state.
  struct Point {
    double t = 0;
    Eigen::VectorXd d, d_dot;  // coordinates and their rates
    Eigen::VectorXd v, a;      // velocities and theirs
    Eigen::VectorXd lambda;
  };
  // As accepted.
  struct Kept {
    double t = 0;
    Eigen::VectorXd q, rate, v, a, lambda;
  };
  static constexpr int kKept = formulas::kMostPast + 1;

  const formulas::StagedTable& prepare(double h);
  const formulas::StagedTable& bridge(double h);
  void chart_past(int points);
  int usable_past(double h);
  void open_stage(const formulas::StagedTable& table, int k, double h, assembly::State& trial);
  void add_auxiliary(double h, double s);
  void guess(int k, const formulas::StagedTable& table, int nodes, assembly::State& trial);
  int prediction_nodes(int k, const formulas::StagedTable& table) const;
  void keep_stage(int k, const assembly::State& trial);
  void keep_auxiliary(const assembly::State& trial);
  void first_auxiliary(double share);
  void rate_of(const assembly::State& trial, Eigen::VectorXd& rate) const;
  solve::Outcome solve_stage(int k, int nodes, solve::StageSolver& solver, system::System::Workspace& work,
                             assembly::State& trial);
  solve::Outcome solve_with_care(int k, solve::StageSolver& solver, system::System::Workspace& work,
                                 assembly::State& trial);
  solve::Outcome solve_step(double h, solve::StageSolver& solver, system::System::Workspace& work,
                            assembly::State& trial);
  bool end_on_constraints(solve::StageSolver& solver, system::System::Workspace& work,
                          assembly::State& trial);
  solve::Outcome solve_stages(double h, solve::StageSolver& solver, system::System::Workspace& work,
                              assembly::State& trial);
  void filter(const Eigen::VectorXd& newest, const Eigen::VectorXd& last, std::vector<Eigen::VectorXcd>& aux);
  void divided_error(const formulas::StagedTable& table);
  double power() const;
  Point& point(int j) { return points_[static_cast<std::size_t>(j)]; }

  const assembly::Layout& layout_;
  StagedSettings settings_;
  formulas::StagedTable starter_, bridge_,
      row_;  // the first steps of a multistep formula; its row at this ratio of steps
  const formulas::StagedTable* used_ = nullptr;
  double allowed_;
  Norm norm_;
  ChartStage stage_;
  DenseOutput dense_;
  double h_ = 0, turned_ = 0;
  assembly::State now_, before_;
  std::vector<Kept> kept_;                                 // newest first
  int known_ = 0;                                          // of them
  std::vector<Point> points_;                              // newest accepted, older ones, stages of this step
  std::vector<Eigen::VectorXcd> aux_rate_, aux_velocity_;  // auxiliary rates of coordinates and of velocities
  double aux_h_ = 0;                                       // the step they belong to
  bool restarted_ = false, told_ = false;
  std::vector<char> always_{1};                // PATTERN of a stage that is solved with care
  Eigen::VectorXcd newer_, older_, filtered_;  // of filter()
  Eigen::VectorXd lag_;                        // of states, of a step that ends on the constraints
  Eigen::VectorXd rate_;                       // scratch
  mutable Eigen::VectorXd error_, velocity_error_;
};

}  // namespace trunnion::integrate
