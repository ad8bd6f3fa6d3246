#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stddef.h>

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
