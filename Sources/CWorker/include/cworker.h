#pragma once
#include <stdint.h>

/// The commit this program was built from, or "unknown"; a "+" follows when the tree was changed.
const char *build_commit(void);

/// The microseconds since 1970 that the clock on the wall shows.
///
/// In C, because beside Dispatch Swift finds `struct timespec` in no module that it may import.
int64_t wall_clock_microseconds(void);
