#pragma once
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// libmicrohttpd, loaded when a server starts: a daemon that listens nowhere does without it, and without the
// TLS library that comes with it. Its functions with any number of arguments, which Swift cannot call, have
// fixed ones here.

/// Whether the library is installed.
int http_is_there(void);

/// Starts a server on a socket that listens already; it works only while `http_run` is called. A caller that `policy`
/// refuses is closed before anything is read.
///
/// NULL when it cannot, or when the library is not there.
struct MHD_Daemon *http_start(
    int socket, unsigned int connections, size_t most_bytes, unsigned int timeout, MHD_AcceptPolicyCallback policy,
    MHD_AccessHandlerCallback handler, MHD_NotifyConnectionCallback connection_notice, MHD_RequestCompletedCallback answer_notice, void *context);

/// Does what there is to do, and returns.
void http_run(struct MHD_Daemon *daemon);

/// After how many milliseconds the server has something to do although nothing happens; UINT64_MAX for never.
uint64_t http_patience(struct MHD_Daemon *daemon);

/// The descriptor that says when there is something to do; -1 when there is none.
int http_events(struct MHD_Daemon *daemon);

/// The socket of a connection; -1 when it has none.
int http_socket(struct MHD_Connection *connection);

/// Copies the address of a caller, 4 bytes or 16 of the `bytes`, and says how many; 0 at a unix socket.
int http_caller(const struct sockaddr *address, socklen_t length, uint8_t bytes[16]);

/// Whether a notice is of the beginning of a connection, not of its end.
int http_begins(enum MHD_ConnectionNotificationCode code);

/// What a request says in the header of that name, or NULL.
const char *http_header(struct MHD_Connection *connection, const char *name);

/// How many headers of that name a request has, in whatever case.
int http_header_count(struct MHD_Connection *connection, const char *name);

/// Answers a request with a copy of `bytes`; `allow` may be NULL. The connection ends with an answer that `closes` it.
enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned int status, const void *bytes, size_t count, const char *type,
    const char *allow, int closes);
