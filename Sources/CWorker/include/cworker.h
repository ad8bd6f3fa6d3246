#pragma once
#include <stddef.h>
#include <stdint.h>

/// The commit this program was built from, or "unknown"; a "+" follows when the tree was changed.
const char *build_commit(void);

/// The microseconds since 1970 that the clock on the wall shows.
///
/// In C, because beside Dispatch Swift finds `struct timespec` in no module that it may import.
int64_t wall_clock_microseconds(void);

/// The microseconds that the clock shows which nobody sets.
int64_t monotonic_microseconds(void);

/// Opens a socket from which datagrams are sent to other sockets of this host, or gives -1.
///
/// A receiver that does not read holds a sender up for `patience_milliseconds` and no longer.
int open_datagram_socket(int patience_milliseconds);

/// How many bytes the receivers of a socket's datagrams have not read yet.
int unread_bytes(int socket);

/// A descriptor of a file in memory that holds these bytes, at their beginning; -1 when there is none.
///
/// A child that reads it can neither block its parent, as a pipe does that is full, nor end it, as one does
/// that nobody reads.
int memory_file(const void *bytes, size_t count);

/// The two ends of a pipe, neither of which a child inherits by itself; -1 when there is none. Reading
/// blocks nobody.
int private_pipe(int ends[2]);

/// A descriptor that can be read when a process of ours has ended; -1 when there is none.
int process_descriptor(int process);

/// Lets nobody who reads from a socket, or writes to it, wait for longer than so many seconds.
void limit_waits(int socket, int seconds);

/// Lets no copy of this process's memory be written to a file, nor handed to a program that collects such copies,
/// however the process ends; nor is one of its children's.
void forbid_core_dumps(void);

/// How many columns a terminal has; 0 when it does not know, or is none.
int terminal_columns(int terminal);
