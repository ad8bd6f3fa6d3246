// A push provider that takes whatever comes, as fast as it can, and plays one fault.
//
//   mock PORT CERTIFICATE KEY FAULT [EVERY [LATENCY-MS]]
//
// It prints "ready" when it listens. At SIGTERM it prints one line of JSON: how often each identifier was worked on,
// and how many connections there were. "Worked on" is what matters: a request that is refused by its stream's code or
// by GOAWAY is not, all else that arrived whole is. The faults are those of strict.py.
//
// With MOCK_WITNESS=FILE it writes each down there as well, and what else it was sent but data, before it answers: with
// the microsecond since 1970, or with that in the eight bytes of MOCK_CLOCK=FILE, a clock that is turned by hand. With MOCK_WINDOW=BYTES it takes as many at once on
// a connection, instead of 65,535.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
  int socket, number, shakes_hands, last_worked, limit, open, ends;
  uint32_t most_streams;
  SSL *ssl;
  nghttp2_session *session;
  uint8_t bytes[64 * 1024];
  size_t length, written;
};

struct stream {
  char id[64];
  int strikes, is_slow;
  size_t left;
  const char *body;
};

struct answer {
  int64_t at;
  struct connection *connection;
  int32_t stream;
};

static const char *fault;
static int every = 50, is_over, connections, poller;
static long arrived;
static int64_t latency;
static const char reason[] = "{\"reason\":\"Shutdown\"}";

// The answers that wait, in the order in which they are due: all wait equally long.
static struct answer *answers;
static size_t first_answer, answer_count, answer_room;

// How often each identifier was worked on.
static struct seen {
  char id[64];
  int count;
} *table;
static size_t table_room, table_count;

static FILE *witness;
static const volatile int64_t *hands;

static int64_t now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return moment.tv_sec * 1000000000ll + moment.tv_nsec;
}

static void write_down(const char *what) {
  struct timespec moment;
  if (!witness) return;
  clock_gettime(CLOCK_REALTIME, &moment);
  fprintf(witness, "%lld %s\n", hands ? (long long)*hands : moment.tv_sec * 1000000ll + moment.tv_nsec / 1000, what);
}

static void open_witness(void) {
  const char *path = getenv("MOCK_WITNESS"), *clock = getenv("MOCK_CLOCK");
  if (path && !(witness = fopen(path, "a"))) exit(4);
  int descriptor = clock ? open(clock, O_RDONLY | O_CLOEXEC) : -1;
  if (!clock) return;
  void *bytes = mmap(NULL, sizeof *hands, PROT_READ, MAP_SHARED, descriptor, 0);
  if (bytes == MAP_FAILED) exit(4);
  hands = bytes;
}

static struct seen *place(struct seen *in, size_t room, const char *id) {
  size_t hash = 1469598103934665603ull;
  for (const char *c = id; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211ull;
  while (in[hash % room].count && strcmp(in[hash % room].id, id)) hash++;
  return &in[hash % room];
}

static void work(struct connection *connection, int32_t number, struct stream *stream) {
  if (table_count * 2 >= table_room) {
    size_t room = table_room ? table_room * 2 : 1 << 16;
    struct seen *larger = calloc(room, sizeof *larger);
    for (size_t i = 0; i < table_room; i++)
      if (table[i].count) *place(larger, room, table[i].id) = table[i];
    free(table);
    table = larger, table_room = room;
  }
  struct seen *seen = place(table, table_room, stream->id);
  if (!seen->count) table_count++, strcpy(seen->id, stream->id);
  seen->count++;
  write_down(stream->id);
  if (number > connection->last_worked) connection->last_worked = number;
}

static int is_fault(const char *name) { return strcmp(fault, name) == 0; }

static void end(struct connection *connection, int cuts) {
  if (connection->socket < 0) return;
  struct linger linger = {1, 0};
  if (cuts) setsockopt(connection->socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  else SSL_shutdown(connection->ssl);
  close(connection->socket);
  connection->socket = -1;
  SSL_free(connection->ssl);
  if (connection->session) nghttp2_session_del(connection->session);
  connection->session = NULL;
}

// Of a client that is dead it has all that came before: it reads that, although no answer can be given any more.
static void take_rest(struct connection *connection) {
  static uint8_t bytes[32 * 1024];
  int count;
  ERR_clear_error();
  while ((count = SSL_read(connection->ssl, bytes, sizeof bytes)) > 0)
    if (nghttp2_session_mem_recv(connection->session, bytes, count) < 0) break;
  if (witness) fflush(witness);
}

static void flush(struct connection *connection) {
  // Before any answer can be heard.
  if (witness) fflush(witness);
  while (connection->socket >= 0 && connection->session) {
    if (connection->written == connection->length) {
      connection->written = connection->length = 0;
      const uint8_t *bytes;
      ssize_t count;
      while (connection->length < 40 * 1024 && (count = nghttp2_session_mem_send(connection->session, &bytes)) > 0) {
        memcpy(connection->bytes + connection->length, bytes, count);
        connection->length += count;
      }
    }
    if (connection->length == 0) break;
    ERR_clear_error();
    int count = SSL_write(
        connection->ssl, connection->bytes + connection->written, connection->length - connection->written);
    if (count <= 0) {
      int error = SSL_get_error(connection->ssl, count);
      if (error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ) return;
      take_rest(connection);
      return end(connection, 1);
    }
    connection->written += count;
  }
  if (connection->ends && connection->open == 0) end(connection, 0);
}

static void go_away(struct connection *connection, int32_t last, uint32_t code) {
  nghttp2_submit_goaway(
      connection->session, NGHTTP2_FLAG_NONE, last, code, (const uint8_t *)reason, sizeof reason - 1);
}

static void strike(struct connection *connection) {
  if (is_fault("tcp-reset")) connection->ends = 3;
  else if (is_fault("fin")) connection->ends = 2;
  else if (is_fault("settings")) {
    uint32_t most = connection->most_streams == 1000 ? 10 : 1000;
    nghttp2_settings_entry entry = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, most};
    connection->most_streams = most;
    nghttp2_submit_settings(connection->session, NGHTTP2_FLAG_NONE, &entry, 1);
  } else if (!strncmp(fault, "goaway", 6) && connection->limit < 0 && !is_fault("goaway-first")) {
    if (is_fault("goaway-twice")) nghttp2_submit_shutdown_notice(connection->session);
    connection->limit = connection->last_worked;
    go_away(connection, connection->limit, is_fault("goaway-error") ? NGHTTP2_ENHANCE_YOUR_CALM : 0);
    connection->ends = is_fault("goaway-abrupt") || is_fault("goaway-error") ? 2 : 1;
  }
}

static ssize_t give(
    nghttp2_session *session, int32_t number, uint8_t *bytes, size_t room, uint32_t *flags,
    nghttp2_data_source *source, void *context) {
  (void)session, (void)number, (void)context;
  struct stream *stream = source->ptr;
  if (stream->is_slow == 2) return NGHTTP2_ERR_DEFERRED;
  size_t count = stream->left < room ? stream->left : room;
  if (stream->body) memcpy(bytes, stream->body, count);
  else memset(bytes, ' ', count);
  stream->left -= count;
  if (stream->is_slow) stream->is_slow = 2;
  else if (stream->left == 0) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return count;
}

#define HEADER(name, value, length) \
  {(uint8_t *)name, (uint8_t *)value, sizeof name - 1, length, NGHTTP2_NV_FLAG_NONE}

static void respond(struct connection *connection, int32_t number) {
  if (connection->socket < 0) return;
  struct stream *stream = nghttp2_session_get_stream_user_data(connection->session, number);
  if (!stream) return;
  char status[4] = "200";
  int after = 0;
  if (stream->strikes && strchr("45", fault[0])) {
    memcpy(status, fault, 3);
    stream->body = "{\"reason\":\"TooManyRequests\"}";
    stream->left = strlen(stream->body);
    after = strstr(fault, "-after") != NULL;
  } else if (stream->strikes && is_fault("slow-body")) {
    stream->left = stream->is_slow = 1;
  } else if (stream->strikes && is_fault("big-body")) {
    stream->left = 10000000;
  }
  nghttp2_nv headers[] = {
      HEADER(":status", status, 3), HEADER("apns-id", stream->id, strlen(stream->id)),
      HEADER("retry-after", "1", 1)};
  nghttp2_data_provider provider = {.source = {.ptr = stream}, .read_callback = give};
  nghttp2_submit_response(connection->session, number, headers, 2 + after, stream->left ? &provider : NULL);
}

static void later(struct connection *connection, int32_t number) {
  if (first_answer == answer_count) first_answer = answer_count = 0;
  if (answer_count == answer_room) {
    answer_room = answer_room ? answer_room * 2 : 4096;
    answers = realloc(answers, answer_room * sizeof *answers);
  }
  answers[answer_count++] = (struct answer){now() + latency, connection, number};
}

static void request(struct connection *connection, int32_t number, struct stream *stream) {
  if (connection->limit >= 0 && number > connection->limit) return;
  int strikes = stream->strikes = ++arrived % every == 0;
  if (strikes && !strncmp(fault, "rst-", 4)) {
    if (atoi(fault + 4) != NGHTTP2_REFUSED_STREAM) work(connection, number, stream);
    nghttp2_submit_rst_stream(connection->session, NGHTTP2_FLAG_NONE, number, atoi(fault + 4));
    return;
  }
  work(connection, number, stream);
  if (strikes && is_fault("silence")) return;
  if (latency) later(connection, number);
  else respond(connection, number);
  if (strikes) strike(connection);
}

static int begin(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  struct connection *connection = context;
  if (frame->hd.type != NGHTTP2_HEADERS) return 0;
  connection->open++;
  nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, calloc(1, sizeof(struct stream)));
  return 0;
}

static int header(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
    const uint8_t *value, size_t value_length, uint8_t flags, void *context) {
  (void)flags, (void)context;
  struct stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (stream && name_length == 7 && !memcmp(name, "apns-id", 7) && value_length < sizeof stream->id)
    memcpy(stream->id, value, value_length);
  return 0;
}

static void note_other(const nghttp2_frame *frame) {
  static const char *names[] = {"", "", "priority", "reset", "settings", "", "ping", "goaway", "window"};
  const char *name = frame->hd.type < 9 ? names[frame->hd.type] : "other";
  if (*name) write_down(name);
}

static int received(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  note_other(frame);
  if ((frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
      frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
    struct stream *stream = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (stream) request(context, frame->hd.stream_id, stream);
  }
  return 0;
}

static int closed(nghttp2_session *session, int32_t number, uint32_t code, void *context) {
  (void)code;
  struct connection *connection = context;
  free(nghttp2_session_get_stream_user_data(session, number));
  connection->open--;
  return 0;
}

static nghttp2_session *new_session(struct connection *connection) {
  nghttp2_session *session;
  nghttp2_session_callbacks *calls;
  nghttp2_option *option;
  nghttp2_session_callbacks_new(&calls);
  nghttp2_session_callbacks_set_on_begin_headers_callback(calls, begin);
  nghttp2_session_callbacks_set_on_header_callback(calls, header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(calls, received);
  nghttp2_session_callbacks_set_on_stream_close_callback(calls, closed);
  nghttp2_option_new(&option);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_session_server_new2(&session, calls, connection, option);
  nghttp2_session_callbacks_del(calls);
  nghttp2_option_del(option);
  connection->most_streams = is_fault("one-stream") || is_fault("settings") ? 1 : 1000;
  nghttp2_settings_entry entry = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, connection->most_streams};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &entry, 1);
  const char *window = getenv("MOCK_WINDOW");
  if (window) nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, atoi(window));
  return session;
}

static void shaken(struct connection *connection) {
  static const uint8_t frame[17] = {0, 0, 8, 7};
  connection->shakes_hands = 0;
  connection->number = ++connections;
  write_down("connection");
  if (connection->number % 2 == 1 && is_fault("goaway-first")) SSL_write(connection->ssl, frame, sizeof frame);
  if (connection->number % 2 == 1 && (is_fault("goaway-first") || is_fault("close-first"))) {
    end(connection, 0);
    return;
  }
  connection->session = new_session(connection);
}

static void serve(struct connection *connection) {
  static uint8_t bytes[32 * 1024];
  while (connection->socket >= 0) {
    ERR_clear_error();
    int count = connection->shakes_hands ? SSL_accept(connection->ssl) : SSL_read(connection->ssl, bytes, sizeof bytes);
    if (count <= 0) {
      int error = SSL_get_error(connection->ssl, count);
      if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) break;
      end(connection, 1);
      return;
    }
    if (connection->shakes_hands) shaken(connection);
    else if (nghttp2_session_mem_recv(connection->session, bytes, count) < 0) return end(connection, 1);
    // What it has worked on and not answered is cut off with the connection.
    if (connection->ends == 3) return end(connection, 1);
    if (connection->ends == 2) {
      connection->ends = 0;
      flush(connection);
      return end(connection, 0);
    }
  }
  if (connection->socket >= 0) flush(connection);
}

static int choose(
    SSL *ssl, const unsigned char **out, unsigned char *length, const unsigned char *in, unsigned int count,
    void *context) {
  (void)ssl, (void)context;
  int chosen = nghttp2_select_next_protocol((unsigned char **)out, length, in, count);
  return chosen == 1 ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

static void accept_all(int listener, SSL_CTX *context) {
  int one = 1, descriptor;
  while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct connection *connection = calloc(1, sizeof *connection);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    connection->socket = descriptor;
    connection->shakes_hands = 1;
    connection->limit = -1;
    connection->ssl = SSL_new(context);
    SSL_set_fd(connection->ssl, descriptor);
    SSL_set_accept_state(connection->ssl);
    struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLET, {.ptr = connection}};
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
  }
}

static void answer_due(void) {
  while (first_answer < answer_count && answers[first_answer].at <= now()) {
    struct connection *connection = answers[first_answer].connection;
    respond(connection, answers[first_answer++].stream);
    int is_last = first_answer == answer_count || answers[first_answer].connection != connection;
    if (is_last || answers[first_answer].at > now()) flush(connection);
  }
}

static int patience(void) {
  if (first_answer == answer_count) return -1;
  int64_t left = answers[first_answer].at - now();
  return left <= 0 ? 0 : (int)(left / 1000000) + 1;
}

static void finish(int signal) {
  (void)signal;
  is_over = 1;
}

static int listen_on(int port) {
  int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 512)) {
    perror("mock");
    exit(1);
  }
  return listener;
}

static void report(void) {
  printf("{\"worked\": {");
  const char *comma = "";
  for (size_t i = 0; i < table_room; i++)
    if (table[i].count) printf("%s\"%s\": %d", comma, table[i].id, table[i].count), comma = ", ";
  printf("}, \"broken\": [], \"connections\": %d}\n", connections);
}

int main(int count, char **words) {
  if (count < 5) return 2;
  fault = words[4];
  if (count > 5) every = atoi(words[5]);
  if (count > 6) latency = atoll(words[6]) * 1000000;
  open_witness();
  signal(SIGPIPE, SIG_IGN);
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = finish}, NULL);
  SSL_CTX *context = SSL_CTX_new(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(context, words[2]) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, words[3], SSL_FILETYPE_PEM) != 1)
    return 3;
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (!is_fault("no-h2")) SSL_CTX_set_alpn_select_cb(context, choose, NULL);
  poller = epoll_create1(EPOLL_CLOEXEC);
  int listener = listen_on(atoi(words[1]));
  struct epoll_event event = {EPOLLIN, {.ptr = NULL}}, events[64];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  printf("ready\n");
  fflush(stdout);
  while (!is_over) {
    int ready = epoll_wait(poller, events, 64, patience());
    for (int i = 0; i < ready; i++)
      if (events[i].data.ptr) serve(events[i].data.ptr);
      else accept_all(listener, context);
    answer_due();
  }
  report();
  return 0;
}
