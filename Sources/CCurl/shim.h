#include <curl/curl.h>

// libcurl sets and gets by functions with a variable number of arguments, which Swift cannot call.

static inline CURLcode ccurl_set_number(CURL *request, CURLoption option, long value) {
  return curl_easy_setopt(request, option, value);
}

static inline CURLcode ccurl_set_text(CURL *request, CURLoption option, const char *value) {
  return curl_easy_setopt(request, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *request, struct curl_slist *headers) {
  return curl_easy_setopt(request, CURLOPT_HTTPHEADER, headers);
}

static inline size_t ccurl_ignore(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

/// What is answered is read and forgotten; without this libcurl would print it.
static inline CURLcode ccurl_ignore_answer(CURL *request) {
  return curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, ccurl_ignore);
}

static inline long ccurl_status(CURL *request) {
  long status = 0;
  curl_easy_getinfo(request, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

static inline int ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }
