#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// libcurl, loaded when the first request is sent: a daemon that tells nobody anything does without it, and
// without the two dozen libraries that come with it. Its functions with any number of arguments, which Swift
// cannot call, have fixed ones here.

/// Loads the library; 1 when it is there and ready.
int ccurl_start(void);

CURL *ccurl_open(void);
void ccurl_close(CURL *request);
CURLcode ccurl_perform(CURL *request);

/// The library's words for a failure.
const char *ccurl_words(CURLcode code);

struct curl_slist *ccurl_header(const char *line);
void ccurl_free(struct curl_slist *headers);

CURLcode ccurl_set_number(CURL *request, CURLoption option, long value);
CURLcode ccurl_set_text(CURL *request, CURLoption option, const char *value);
CURLcode ccurl_set_headers(CURL *request, struct curl_slist *headers);

/// What is answered is read and forgotten; without this libcurl would print it.
CURLcode ccurl_ignore_answer(CURL *request);

long ccurl_status(CURL *request);

// For a request whose body can be sent once only, and whose answer is read up to a bound.

/// What is sent, and what came back.
struct ccurl_exchange {
  const uint8_t *body;
  size_t count;
  /// How much of the body libcurl has taken.
  size_t taken;

  uint8_t *answer;
  size_t room;
  size_t answered;
  /// Whether the answer is longer than its room: libcurl ended the connection where that was full.
  int is_cut;

  /// The header `retry-after`, or "".
  char retry_after[64];

  /// Asked with `context` when the connection stands and before the first byte of the request: 0 keeps it; NULL to ask
  /// nobody.
  int (*may_leave)(void *context);
  void *context;
};

/// Makes a request a POST of the body of `exchange`, which must outlive it.
///
/// libcurl sends a body that it holds once more when a connection ends before an answer. This one it is given
/// piece by piece, and cannot have again.
CURLcode ccurl_post_once(CURL *request, struct ccurl_exchange *exchange);

/// Believes the authorities in the file at `path` and no others; CURLE_SSL_CACERT_BADFILE where it is no regular file,
/// which libcurl would open all the same, and could wait for ever.
CURLcode ccurl_believe(CURL *request, const char *path);

/// Adds a header; NULL when there is no memory.
struct curl_slist *ccurl_another_header(struct curl_slist *headers, const char *line);

/// Makes the name of the URL stand for an address, as in "example.org:443:192.0.2.1", or for itself when there are no
/// entries; the list must outlive the request.
CURLcode ccurl_pin(CURL *request, struct curl_slist *entries);

/// How many bytes of requests have left.
long ccurl_sent(CURL *request);
