#pragma once

/// The commit this program was built from, or "unknown"; a "+" follows when the tree was changed.
const char *build_commit(void);
