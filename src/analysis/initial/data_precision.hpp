#pragma once
// How well a model's numbers are known. A program that exports a model prints positions and angles with so many digits, and
// joints that held exactly in its memory are then apart by the last of them. Constraints that others imply can agree no better.

#include "assembly/layout.hpp"
#include "model/model.hpp"

namespace trunnion::analysis {

struct DataPrecision {
  int digits = 0;     // that positions and angles are printed with; 0: they are taken as exact
  double length = 0;  // what a point of the mechanism may be off by
  double angle = 0;   // what a direction may be off by; radians

  double of(const assembly::Row& row) const {
    return row.residual.quantity == assembly::Quantity::length ? length : angle;
  }
};

// From the positions and angles of parts and markers. Numbers of few digits are thought of as exact: somebody wrote 30.2 and
// meant it. The others were cut off, at the digits that no more than one in ten goes beyond.
DataPrecision data_precision(const model::Model& model);

}  // namespace trunnion::analysis
