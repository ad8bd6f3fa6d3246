#define _GNU_SOURCE
#include "cmicrohttpd.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

static struct {
  __typeof__(MHD_start_daemon) *start_daemon;
  __typeof__(MHD_run) *run;
  __typeof__(MHD_get_timeout) *get_timeout;
  __typeof__(MHD_get_daemon_info) *get_daemon_info;
  __typeof__(MHD_get_connection_info) *get_connection_info;
  __typeof__(MHD_lookup_connection_value) *lookup_connection_value;
  __typeof__(MHD_get_connection_values) *get_connection_values;
  __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
  __typeof__(MHD_add_response_header) *add_response_header;
  __typeof__(MHD_queue_response) *queue_response;
  __typeof__(MHD_destroy_response) *destroy_response;
} library;

// The name of a function is that of its place, so that neither can be mistaken for another.
#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, "MHD_" #name)) != NULL)

int http_is_there(void) {
  void *file = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  return file != NULL && FIND(file, start_daemon) && FIND(file, run) && FIND(file, get_timeout) &&
         FIND(file, get_daemon_info) && FIND(file, get_connection_info) && FIND(file, lookup_connection_value) &&
         FIND(file, get_connection_values) && FIND(file, create_response_from_buffer) && FIND(file, add_response_header) &&
         FIND(file, queue_response) && FIND(file, destroy_response);
}

// No path here needs an escape: undone, "%00" would end one that is longer.
static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  return strlen(text);
}

struct MHD_Daemon *http_start(
    int socket, unsigned int connections, size_t most_bytes, unsigned int timeout, MHD_AcceptPolicyCallback policy,
    MHD_AccessHandlerCallback handler, MHD_NotifyConnectionCallback connection_notice, MHD_RequestCompletedCallback answer_notice, void *context) {
  if (!http_is_there()) return NULL;
  return library.start_daemon(
      MHD_USE_EPOLL, 0, policy, context, handler, context,
      MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, most_bytes, MHD_OPTION_CONNECTION_TIMEOUT, timeout,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_CONNECTION, connection_notice, context,
      MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, answer_notice, context, MHD_OPTION_END);
}

void http_run(struct MHD_Daemon *daemon) { library.run(daemon); }

uint64_t http_patience(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG limit = 0;
  return library.get_timeout(daemon, &limit) == MHD_YES ? limit : UINT64_MAX;
}

int http_events(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

int http_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

int http_caller(const struct sockaddr *address, socklen_t length, uint8_t bytes[16]) {
  if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return 4;
  }
  if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

int http_begins(enum MHD_ConnectionNotificationCode code) { return code == MHD_CONNECTION_NOTIFY_STARTED; }

const char *http_header(struct MHD_Connection *connection, const char *name) {
  return library.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct count {
  const char *name;
  int times;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind, (void)value;
  struct count *count = context;
  if (strcasecmp(name, count->name) == 0) count->times += 1;
  return MHD_YES;
}

int http_header_count(struct MHD_Connection *connection, const char *name) {
  struct count count = {name, 0};
  library.get_connection_values(connection, MHD_HEADER_KIND, count_header, &count);
  return count.times;
}

enum MHD_Result http_answer(
    struct MHD_Connection *connection, unsigned int status, const void *bytes, size_t count, const char *type,
    const char *allow, int closes) {
  struct MHD_Response *response =
      library.create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (response == NULL) return MHD_NO;
  library.add_response_header(response, "Content-Type", type);
  library.add_response_header(response, "Cache-Control", "no-store");
  if (allow != NULL) library.add_response_header(response, "Allow", allow);
  if (closes) library.add_response_header(response, "Connection", "close");
  enum MHD_Result result = library.queue_response(connection, status, response);
  library.destroy_response(response);
  return result;
}
