#define _GNU_SOURCE
#include "ccurl.h"

#include <dlfcn.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static struct {
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_slist_append) *slist_append;
} library;

#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, "curl_" #name)) != NULL)

// What ccurl_start has loaded is only found again.
static int is_there(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  return file != NULL && FIND(file, easy_setopt) && FIND(file, easy_getinfo) && FIND(file, slist_append);
}

static size_t give(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_exchange *exchange = context;
  size_t left = exchange->count - exchange->taken;
  size_t given = left < size * count ? left : size * count;
  memcpy(bytes, exchange->body + exchange->taken, given);
  exchange->taken += given;
  return given;
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_exchange *exchange = context;
  size_t room = exchange->room - exchange->answered;
  size_t taken = size * count < room ? size * count : room;
  memcpy(exchange->answer + exchange->answered, bytes, taken);
  exchange->answered += taken;
  if (taken < size * count) exchange->is_cut = 1;
  return taken;
}

static size_t note(char *bytes, size_t size, size_t count, void *context) {
  static const char name[] = "retry-after:";
  struct ccurl_exchange *exchange = context;
  size_t length = size * count, start = sizeof name - 1;
  if (length <= start || strncasecmp(bytes, name, start) != 0) return length;
  while (start < length && (bytes[start] == ' ' || bytes[start] == '\t')) start++;
  size_t end = length;
  while (end > start && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n')) end--;
  if (end - start >= sizeof exchange->retry_after) return length;
  memcpy(exchange->retry_after, bytes + start, end - start);
  exchange->retry_after[end - start] = 0;
  return length;
}

static int ask(void *context, char *peer, char *own, int peer_port, int own_port) {
  struct ccurl_exchange *exchange = context;
  (void)peer, (void)own, (void)peer_port, (void)own_port;
  return exchange->may_leave(exchange->context) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

#define SET(option, value) \
  if ((code = library.easy_setopt(request, option, value)) != CURLE_OK) return code

CURLcode ccurl_post_once(CURL *request, struct ccurl_exchange *exchange) {
  CURLcode code;
  if (!is_there()) return CURLE_FAILED_INIT;
  SET(CURLOPT_POST, 1L);
  SET(CURLOPT_POSTFIELDSIZE, (long)exchange->count);
  SET(CURLOPT_READFUNCTION, give);
  SET(CURLOPT_READDATA, exchange);
  SET(CURLOPT_WRITEFUNCTION, take);
  SET(CURLOPT_WRITEDATA, exchange);
  SET(CURLOPT_HEADERFUNCTION, note);
  SET(CURLOPT_HEADERDATA, exchange);
  if (exchange->may_leave != NULL) {
    SET(CURLOPT_PREREQFUNCTION, ask);
    SET(CURLOPT_PREREQDATA, exchange);
  }
  // Each request has a connection of its own, so that none can have ended before.
  SET(CURLOPT_FRESH_CONNECT, 1L);
  SET(CURLOPT_FORBID_REUSE, 1L);
  SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  return CURLE_OK;
}

CURLcode ccurl_believe(CURL *request, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return CURLE_SSL_CACERT_BADFILE;
  return is_there() ? library.easy_setopt(request, CURLOPT_CAINFO, path) : CURLE_FAILED_INIT;
}

struct curl_slist *ccurl_another_header(struct curl_slist *headers, const char *line) {
  return is_there() ? library.slist_append(headers, line) : NULL;
}

CURLcode ccurl_pin(CURL *request, struct curl_slist *entries) {
  CURLcode code;
  if (!is_there()) return CURLE_FAILED_INIT;
  SET(CURLOPT_RESOLVE, entries);
  // A proxy would resolve the name anew.
  SET(CURLOPT_NOPROXY, "*");
  return CURLE_OK;
}

long ccurl_sent(CURL *request) {
  long sent = 0;
  if (is_there()) library.easy_getinfo(request, CURLINFO_REQUEST_SIZE, &sent);
  return sent;
}
