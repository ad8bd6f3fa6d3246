#define _GNU_SOURCE
#include "ccurl.h"

#include <dlfcn.h>

static struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_perform) *easy_perform;
  __typeof__(curl_easy_strerror) *easy_strerror;
  __typeof__(curl_easy_setopt) *easy_setopt;
  __typeof__(curl_easy_getinfo) *easy_getinfo;
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
} library;

// The name of a function is that of its place, so that neither can be mistaken for another.
#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, "curl_" #name)) != NULL)

int ccurl_start(void) {
  void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  return file != NULL && FIND(file, global_init) && FIND(file, easy_init) && FIND(file, easy_cleanup) &&
         FIND(file, easy_perform) && FIND(file, easy_strerror) && FIND(file, easy_setopt) &&
         FIND(file, easy_getinfo) && FIND(file, slist_append) && FIND(file, slist_free_all) &&
         library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

CURL *ccurl_open(void) { return library.easy_init(); }

void ccurl_close(CURL *request) { library.easy_cleanup(request); }

CURLcode ccurl_perform(CURL *request) { return library.easy_perform(request); }

const char *ccurl_words(CURLcode code) { return library.easy_strerror(code); }

struct curl_slist *ccurl_header(const char *line) { return library.slist_append(NULL, line); }

void ccurl_free(struct curl_slist *headers) { library.slist_free_all(headers); }

CURLcode ccurl_set_number(CURL *request, CURLoption option, long value) {
  return library.easy_setopt(request, option, value);
}

CURLcode ccurl_set_text(CURL *request, CURLoption option, const char *value) {
  return library.easy_setopt(request, option, value);
}

CURLcode ccurl_set_headers(CURL *request, struct curl_slist *headers) {
  return library.easy_setopt(request, CURLOPT_HTTPHEADER, headers);
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

CURLcode ccurl_ignore_answer(CURL *request) {
  return library.easy_setopt(request, CURLOPT_WRITEFUNCTION, ignore);
}

long ccurl_status(CURL *request) {
  long status = 0;
  library.easy_getinfo(request, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
