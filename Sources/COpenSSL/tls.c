#define _GNU_SOURCE
#include "tls.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct {
  __typeof__(TLS_client_method) *TLS_client_method;
  __typeof__(SSL_CTX_new) *SSL_CTX_new;
  __typeof__(SSL_CTX_free) *SSL_CTX_free;
  __typeof__(SSL_CTX_ctrl) *SSL_CTX_ctrl;
  __typeof__(SSL_CTX_set_options) *SSL_CTX_set_options;
  __typeof__(SSL_CTX_set_verify) *SSL_CTX_set_verify;
  __typeof__(SSL_CTX_set_default_verify_paths) *SSL_CTX_set_default_verify_paths;
  __typeof__(SSL_CTX_load_verify_locations) *SSL_CTX_load_verify_locations;
  __typeof__(SSL_new) *SSL_new;
  __typeof__(SSL_free) *SSL_free;
  __typeof__(SSL_ctrl) *SSL_ctrl;
  __typeof__(SSL_set_fd) *SSL_set_fd;
  __typeof__(SSL_set1_host) *SSL_set1_host;
  __typeof__(SSL_set_hostflags) *SSL_set_hostflags;
  __typeof__(SSL_get0_param) *SSL_get0_param;
  __typeof__(SSL_set_alpn_protos) *SSL_set_alpn_protos;
  __typeof__(SSL_get0_alpn_selected) *SSL_get0_alpn_selected;
  __typeof__(SSL_set_connect_state) *SSL_set_connect_state;
  __typeof__(SSL_do_handshake) *SSL_do_handshake;
  __typeof__(SSL_read_ex) *SSL_read_ex;
  __typeof__(SSL_write_ex) *SSL_write_ex;
  __typeof__(SSL_shutdown) *SSL_shutdown;
  __typeof__(SSL_get_error) *SSL_get_error;
  __typeof__(SSL_get_verify_result) *SSL_get_verify_result;
  __typeof__(X509_VERIFY_PARAM_set1_ip_asc) *X509_VERIFY_PARAM_set1_ip_asc;
  __typeof__(X509_verify_cert_error_string) *X509_verify_cert_error_string;
  __typeof__(ERR_clear_error) *ERR_clear_error;
  __typeof__(ERR_peek_error) *ERR_peek_error;
  __typeof__(ERR_reason_error_string) *ERR_reason_error_string;
} library;

struct tls_trust {
  SSL_CTX *context;
};

struct tls_stream {
  SSL *ssl;
  char words[160];
};

// The name of a function is that of its place, so that neither can be mistaken for another.
#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, #name)) != NULL)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_there;

// libcrypto comes with libssl: what is looked for in one is found in the other.
static void load(void) {
  void *file = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
  is_there = file != NULL && FIND(file, TLS_client_method) && FIND(file, SSL_CTX_new) && FIND(file, SSL_CTX_free) &&
             FIND(file, SSL_CTX_ctrl) && FIND(file, SSL_CTX_set_options) && FIND(file, SSL_CTX_set_verify) &&
             FIND(file, SSL_CTX_set_default_verify_paths) && FIND(file, SSL_CTX_load_verify_locations) &&
             FIND(file, SSL_new) && FIND(file, SSL_free) && FIND(file, SSL_ctrl) && FIND(file, SSL_set_fd) &&
             FIND(file, SSL_set1_host) && FIND(file, SSL_set_hostflags) && FIND(file, SSL_get0_param) &&
             FIND(file, SSL_set_alpn_protos) && FIND(file, SSL_get0_alpn_selected) &&
             FIND(file, SSL_set_connect_state) && FIND(file, SSL_do_handshake) && FIND(file, SSL_read_ex) &&
             FIND(file, SSL_write_ex) && FIND(file, SSL_shutdown) && FIND(file, SSL_get_error) &&
             FIND(file, SSL_get_verify_result) && FIND(file, X509_VERIFY_PARAM_set1_ip_asc) &&
             FIND(file, X509_verify_cert_error_string) && FIND(file, ERR_clear_error) &&
             FIND(file, ERR_peek_error) && FIND(file, ERR_reason_error_string);
}

int tls_is_there(void) {
  pthread_once(&once, load);
  return is_there;
}

// OpenSSL opens what it is told as it is: a pipe without a writer would hold this thread for ever.
static int could_hold(const char *path) {
  struct stat status;
  return path != NULL && stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

struct tls_trust *tls_trust_open(const char *authorities) {
  if (!tls_is_there()) return NULL;
  if (could_hold(authorities != NULL ? authorities : getenv("SSL_CERT_FILE"))) return NULL;
  struct tls_trust *trust = calloc(1, sizeof *trust);
  if (trust == NULL) return NULL;
  trust->context = library.SSL_CTX_new(library.TLS_client_method());
  int believes = trust->context != NULL &&
                 (authorities == NULL ? library.SSL_CTX_set_default_verify_paths(trust->context)
                                      : library.SSL_CTX_load_verify_locations(trust->context, authorities, NULL));
  if (!believes) {
    tls_trust_close(trust);
    return NULL;
  }
  library.SSL_CTX_ctrl(trust->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
  library.SSL_CTX_ctrl(
      trust->context, SSL_CTRL_MODE, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, NULL);
  // HTTP/2 forbids it; a server that asks for it again and again would keep the thread busy.
  library.SSL_CTX_set_options(trust->context, SSL_OP_NO_RENEGOTIATION);
  library.SSL_CTX_set_verify(trust->context, SSL_VERIFY_PEER, NULL);
  return trust;
}

void tls_trust_close(struct tls_trust *trust) {
  if (trust->context != NULL) library.SSL_CTX_free(trust->context);
  free(trust);
}

static int is_address(const char *host) {
  unsigned char room[sizeof(struct in6_addr)];
  return inet_pton(AF_INET, host, room) == 1 || inet_pton(AF_INET6, host, room) == 1;
}

// A certificate names a host or an address, and only a host can be asked for by its name.
static int expect(SSL *ssl, const char *host) {
  if (is_address(host)) return library.X509_VERIFY_PARAM_set1_ip_asc(library.SSL_get0_param(ssl), host);
  library.SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return library.SSL_set1_host(ssl, host) &&
         library.SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host);
}

struct tls_stream *tls_open(struct tls_trust *trust, int socket, const char *host) {
  static const unsigned char http2[] = {2, 'h', '2'};
  struct tls_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return NULL;
  stream->ssl = library.SSL_new(trust->context);
  if (stream->ssl == NULL || !library.SSL_set_fd(stream->ssl, socket) || !expect(stream->ssl, host) ||
      library.SSL_set_alpn_protos(stream->ssl, http2, sizeof http2) != 0) {
    tls_close(stream);
    return NULL;
  }
  library.SSL_set_connect_state(stream->ssl);
  return stream;
}

void tls_close(struct tls_stream *stream) {
  if (stream->ssl != NULL) library.SSL_free(stream->ssl);
  // What went wrong here is not to be taken for a failure of the thread's next connection.
  library.ERR_clear_error();
  free(stream);
}

static void keep_words(struct tls_stream *stream, int error, int number) {
  long verdict = library.SSL_get_verify_result(stream->ssl);
  unsigned long code = library.ERR_peek_error();
  const char *words = verdict != X509_V_OK                    ? library.X509_verify_cert_error_string(verdict)
                      : error == SSL_ERROR_SYSCALL && number  ? strerrordesc_np(number)
                      : code != 0                             ? library.ERR_reason_error_string(code)
                                                              : "the connection was cut";
  snprintf(stream->words, sizeof stream->words, "%s", words != NULL ? words : "unknown failure");
}

static enum tls_outcome outcome(struct tls_stream *stream, int result) {
  int number = errno;
  if (result == 1) return tls_done;
  int error = library.SSL_get_error(stream->ssl, result);
  switch (error) {
    case SSL_ERROR_WANT_READ: return tls_wants_to_read;
    case SSL_ERROR_WANT_WRITE: return tls_wants_to_write;
    case SSL_ERROR_ZERO_RETURN: return tls_ended;
  }
  if (error == SSL_ERROR_SSL && ERR_GET_REASON(library.ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING)
    return tls_ended;
  if (error == SSL_ERROR_SYSCALL && number == 0) return tls_ended;
  keep_words(stream, error, number);
  return tls_failed;
}

// An error that an earlier call left in the thread's list would make the next one look like a failure.
static void begin(void) {
  library.ERR_clear_error();
  errno = 0;
}

enum tls_outcome tls_shake_hands(struct tls_stream *stream) {
  begin();
  return outcome(stream, library.SSL_do_handshake(stream->ssl));
}

int tls_speaks_http2(struct tls_stream *stream) {
  const unsigned char *name = NULL;
  unsigned int length = 0;
  library.SSL_get0_alpn_selected(stream->ssl, &name, &length);
  return length == 2 && memcmp(name, "h2", 2) == 0;
}

enum tls_outcome tls_read(struct tls_stream *stream, uint8_t *bytes, size_t room, size_t *count) {
  begin();
  *count = 0;
  return outcome(stream, library.SSL_read_ex(stream->ssl, bytes, room, count));
}

enum tls_outcome tls_write(struct tls_stream *stream, const uint8_t *bytes, size_t length, size_t *count) {
  begin();
  *count = 0;
  return outcome(stream, library.SSL_write_ex(stream->ssl, bytes, length, count));
}

void tls_say_end(struct tls_stream *stream) {
  begin();
  library.SSL_shutdown(stream->ssl);
}

const char *tls_words(struct tls_stream *stream) { return stream->words; }
