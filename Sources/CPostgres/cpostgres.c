#include "cpostgres.h"

#include <dlfcn.h>
#include <postgresql/pg_config.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// What is called of libpq: what each function answers, its name, what it takes, and how that is handed on.
#define FUNCTIONS(CALL) \
  CALL(int, PQbackendPID, (const PGconn *session), (session)) \
  CALL(int, PQcancel, (PGcancel *cancel, char *reason, int size), (cancel, reason, size)) \
  CALL(void, PQclear, (PGresult *result), (result)) \
  CALL(char *, PQcmdStatus, (PGresult *result), (result)) \
  CALL(char *, PQcmdTuples, (PGresult *result), (result)) \
  CALL(PQconninfoOption *, PQconndefaults, (void), ()) \
  CALL(PostgresPollingStatusType, PQconnectPoll, (PGconn *session), (session)) \
  CALL(PGconn *, PQconnectStartParams, \
       (const char *const *keywords, const char *const *values, int expands), \
       (keywords, values, expands)) \
  CALL(void, PQconninfoFree, (PQconninfoOption *options), (options)) \
  CALL(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), (text, message)) \
  CALL(int, PQconsumeInput, (PGconn *session), (session)) \
  CALL(int, PQenterPipelineMode, (PGconn *session), (session)) \
  CALL(char *, PQerrorMessage, (const PGconn *session), (session)) \
  CALL(int, PQexitPipelineMode, (PGconn *session), (session)) \
  CALL(void, PQfinish, (PGconn *session), (session)) \
  CALL(int, PQflush, (PGconn *session), (session)) \
  CALL(char *, PQfname, (const PGresult *result, int column), (result, column)) \
  CALL(void, PQfreeCancel, (PGcancel *cancel), (cancel)) \
  CALL(void, PQfreemem, (void *memory), (memory)) \
  CALL(Oid, PQftype, (const PGresult *result, int column), (result, column)) \
  CALL(PGcancel *, PQgetCancel, (PGconn *session), (session)) \
  CALL(int, PQgetCopyData, (PGconn *session, char **bytes, int is_impatient), (session, bytes, is_impatient)) \
  CALL(PGresult *, PQgetResult, (PGconn *session), (session)) \
  CALL(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column)) \
  CALL(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
  CALL(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
  CALL(int, PQisBusy, (PGconn *session), (session)) \
  CALL(int, PQlibVersion, (void), ()) \
  CALL(int, PQnfields, (const PGresult *result), (result)) \
  CALL(int, PQntuples, (const PGresult *result), (result)) \
  CALL(const char *, PQparameterStatus, (const PGconn *session, const char *name), (session, name)) \
  CALL(char *, PQpass, (const PGconn *session), (session)) \
  CALL(int, PQpipelineSync, (PGconn *session), (session)) \
  CALL(int, PQputCopyData, (PGconn *session, const char *bytes, int count), (session, bytes, count)) \
  CALL(int, PQputCopyEnd, (PGconn *session, const char *reason), (session, reason)) \
  CALL(char *, PQresultErrorField, (const PGresult *result, int code), (result, code)) \
  CALL(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
  CALL(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
  CALL(int, PQsendDescribePrepared, (PGconn *session, const char *name), (session, name)) \
  CALL(int, PQsendPrepare, \
       (PGconn *session, const char *name, const char *text, int count, const Oid *types), \
       (session, name, text, count, types)) \
  CALL(int, PQsendQuery, (PGconn *session, const char *text), (session, text)) \
  CALL(int, PQsendQueryParams, \
       (PGconn *session, const char *text, int count, const Oid *types, const char *const *values, \
        const int *lengths, const int *formats, int format), \
       (session, text, count, types, values, lengths, formats, format)) \
  CALL(int, PQsendQueryPrepared, \
       (PGconn *session, const char *name, int count, const char *const *values, const int *lengths, \
        const int *formats, int format), \
       (session, name, count, values, lengths, formats, format)) \
  CALL(PGVerbosity, PQsetErrorVerbosity, (PGconn *session, PGVerbosity verbosity), (session, verbosity)) \
  CALL(PQnoticeReceiver, PQsetNoticeReceiver, \
       (PGconn *session, PQnoticeReceiver receiver, void *context), \
       (session, receiver, context)) \
  CALL(int, PQsetSingleRowMode, (PGconn *session), (session)) \
  CALL(int, PQsetnonblocking, (PGconn *session, int is_nonblocking), (session, is_nonblocking)) \
  CALL(int, PQsocket, (const PGconn *session), (session)) \
  CALL(ConnStatusType, PQstatus, (const PGconn *session), (session)) \
  CALL(PGTransactionStatusType, PQtransactionStatus, (const PGconn *session), (session)) \
  CALL(char *, PQuser, (const PGconn *session), (session))

#define PLACE(answer, name, parameters, arguments) __typeof__(name) *name;
static struct { FUNCTIONS(PLACE) } library;

// An older library may lack any of them.
#define FIND(answer, name, parameters, arguments) \
  && (library.name = (__typeof__(name) *)dlsym(file, #name)) != NULL

static const char *failure;

static void load(void) {
  void *file = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  bool is_whole = file != NULL FUNCTIONS(FIND);
  // The words are good until the next library is loaded.
  if (!is_whole) failure = strdup(dlerror());
}

const char *libpq_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return failure;
}

// PG_VERSION has the words of who packaged it behind the number.
#define DIGITS(number) #number
#define VERSION(major, minor) major "." DIGITS(minor)

const char *libpq_built_for(void) { return VERSION(PG_MAJORVERSION, PG_MINORVERSION_NUM); }

// Hidden: libpq, too, calls itself by these names, and is to find its own.
#define PASS_ON(answer, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) answer name parameters { return library.name arguments; }
FUNCTIONS(PASS_ON)
