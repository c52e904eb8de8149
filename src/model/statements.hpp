#pragma once
// The list of all statement and command types. Its order gives each type its Kind, and the order of the manual.

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "model/bodies.hpp"
#include "model/commands.hpp"
#include "model/constraints.hpp"
#include "model/forces.hpp"
#include "model/output.hpp"
#include "model/schema.hpp"
#include "model/settings.hpp"
#include "model/states.hpp"

namespace trunnion::model {

template <class... Ts> struct TypeList {};

// clang-format off
using Statements = TypeList<
    // bodies.hpp
    Part, PointMass, FlexBody, FePart, FeNode, FeLoad, Marker, Material, Section,
    // constraints.hpp
    Joint, Jprim, Motion, Coupler, Gear, Gcon, Ucon, Ptcv, Cvcv, Curve, Surface,
    // forces.hpp
    Accgrav, Sforce, Vforce, Vtorque, Gforce, Nforce, Mforce, SpringDamper, Bushing, Field, Beam, Friction,
    Contact, Tire, Clearance,
    // states.hpp
    Variable, Diff, Array, Matrix, Spline, String, Lse, Gse, Tfsiso, Pinput, Poutput, Pstate,
    // output.hpp
    Graphics, Request, Mrequest, Results, Output,
    // settings.hpp
    Units, Integrator, Equilibrium, InitialConditions, Kinematics, Lsolver, Preferences, Debug, Sensor, Environment,
    // commands.hpp
    Simulate, Linear, Activate, Deactivate, File, Save, Reload, Info, Show, Time, Control, Help, Stop>;
// clang-format on

namespace detail {
template <class T, class List> struct IndexOf;
template <class T, class... Rest> struct IndexOf<T, TypeList<T, Rest...>> : std::integral_constant<int, 0> {};
template <class T, class First, class... Rest>
struct IndexOf<T, TypeList<First, Rest...>>
    : std::integral_constant<int, 1 + IndexOf<T, TypeList<Rest...>>::value> {};
template <class List> struct CountOf;
template <class... Ts>
struct CountOf<TypeList<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
}  // namespace detail

inline constexpr std::size_t kStatementCount = detail::CountOf<Statements>::value;

template <class T> constexpr Kind kind_of() { return Kind{detail::IndexOf<T, Statements>::value}; }

}  // namespace trunnion::model
