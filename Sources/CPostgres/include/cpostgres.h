#pragma once
#include <postgresql/libpq-fe.h>
#include <sys/eventfd.h>

// libpq, loaded when the first connection string is read: it brings two dozen libraries along, for which a program that
// only says its version or when a job is due would wait longer than for all else. Its functions are called by their own
// names, none before 'libpq_load' has said that it is there.

/// Loads the library, the first time; NULL when it is there, or else why it is not.
const char *libpq_load(void);

/// The version of the libpq that this program was built for, such as 15.18.
const char *libpq_built_for(void);
