#pragma once

#include <string_view>

#include "ctoml.h"

namespace ctoml {

/// A fault and the place of it.
struct Refusal {
  ctoml_fault fault;
  ctoml_position position;
};

/// Says whether the text stays inside the bounds of ctoml.h, without building anything.
///
/// The parser bounds neither the parts of a dotted key nor their number, and takes its tree down
/// by recursion: a long enough key would end the process before a fault could be reported.
Refusal beyond_bounds(std::string_view text);

}  // namespace ctoml
