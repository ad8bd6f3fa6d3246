#pragma once
#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

/// What Swift cannot say: libmicrohttpd starts a server, and tells of one, by functions with any number of
/// arguments.

/// Starts a server on a socket that listens already; it works only while `MHD_run` is called.
static inline struct MHD_Daemon *http_start(
    int socket, unsigned int connections, size_t most_bytes, unsigned int timeout, MHD_AccessHandlerCallback handler,
    MHD_NotifyConnectionCallback connection_notice, MHD_RequestCompletedCallback answer_notice, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, most_bytes, MHD_OPTION_CONNECTION_TIMEOUT, timeout,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION, connection_notice, context,
      MHD_OPTION_NOTIFY_COMPLETED, answer_notice, context, MHD_OPTION_END);
}

/// The descriptor that says when there is something to do; -1 when there is none.
static inline int http_events(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

/// The socket of a connection; -1 when it has none.
static inline int http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Whether a notice is of the beginning of a connection, not of its end.
static inline int http_begins(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// What a request says in the header of that name, or NULL.
static inline const char *http_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// Answers a request with a copy of `bytes`; `allow` may be NULL.
static inline enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned int status, const void *bytes, size_t count, const char *type,
    const char *allow) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (response == NULL) return MHD_NO;
  MHD_add_response_header(response, "Content-Type", type);
  MHD_add_response_header(response, "Cache-Control", "no-store");
  if (allow != NULL) MHD_add_response_header(response, "Allow", allow);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}
