#pragma once
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

/// Lets nobody who reads from a socket, or writes to it, wait for longer than so many seconds.
void limit_waits(int socket, int seconds);
