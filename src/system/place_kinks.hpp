#pragma once
// The functions of forces, DIFFs and VARIABLEs that change their course at a place, at a speed or by a state, as a step loop sees them.

#include <cmath>
#include <vector>

#include "elements/function.hpp"
#include "expr/kinks.hpp"
#include "system/system.hpp"

namespace trunnion::system {

class PlaceKinks {
 public:
  explicit PlaceKinks(const System& system);

  struct Watched {
    const expr::Program* program;
    expr::Kinks kinks;
    std::size_t first_input, first_kink;  // among those of all
  };
  const std::vector<Watched>& functions() const { return functions_; }

  // What all of them read at a state, one after the other.
  struct Reading {
    std::vector<double> inputs, rates;             // NaN where a rate is not known
    std::vector<double> distances, slopes, sizes;  // of the kinks; a unit of time
  };
  // The workspace has been brought to the state. `ahead`: a time that is short beside what is looked for.
  void read(const assembly::State& state, System::Workspace& work, double ahead, Reading& reading);
  // The kinks' numbers and the values of one function for inputs of its own.
  void distances(std::size_t function, std::span<const double> inputs, std::span<double> out);
  void values(std::size_t function, std::span<const double> inputs, System::Workspace& work,
              std::span<double> out) const;

 private:
  // A force or an equation.
  struct Owner {
    const elements::Response* response;
    std::size_t first;               // of functions_
    std::vector<std::size_t> which;  // of its functions
  };
  void add(const elements::Response& response);
  void read(const Owner& owner, const assembly::State& state, System::Workspace& work, Reading& reading);

  const System& system_;
  std::vector<Owner> owners_;
  std::vector<Watched> functions_;
  std::size_t inputs_ = 0, kinks_ = 0;
  std::vector<double> slots_, shifted_, ahead_, sizes_;
};

}  // namespace trunnion::system
