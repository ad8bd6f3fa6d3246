#include "cbuild.h"

const char *build_commit(void) { return BUILD_COMMIT; }
