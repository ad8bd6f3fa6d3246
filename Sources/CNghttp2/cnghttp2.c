#define _GNU_SOURCE
#include "cnghttp2.h"

#include <dlfcn.h>
#include <nghttp2/nghttp2.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
  __typeof__(nghttp2_session_callbacks_new) *session_callbacks_new;
  __typeof__(nghttp2_session_callbacks_del) *session_callbacks_del;
  __typeof__(nghttp2_session_callbacks_set_on_frame_recv_callback) *session_callbacks_set_on_frame_recv_callback;
  __typeof__(nghttp2_session_callbacks_set_on_header_callback) *session_callbacks_set_on_header_callback;
  __typeof__(nghttp2_session_callbacks_set_on_data_chunk_recv_callback)
      *session_callbacks_set_on_data_chunk_recv_callback;
  __typeof__(nghttp2_session_callbacks_set_on_stream_close_callback)
      *session_callbacks_set_on_stream_close_callback;
  __typeof__(nghttp2_session_callbacks_set_before_frame_send_callback)
      *session_callbacks_set_before_frame_send_callback;
  __typeof__(nghttp2_session_callbacks_set_on_frame_not_send_callback)
      *session_callbacks_set_on_frame_not_send_callback;
  __typeof__(nghttp2_session_client_new) *session_client_new;
  __typeof__(nghttp2_session_del) *session_del;
  __typeof__(nghttp2_session_mem_recv) *session_mem_recv;
  __typeof__(nghttp2_session_mem_send) *session_mem_send;
  __typeof__(nghttp2_session_want_read) *session_want_read;
  __typeof__(nghttp2_session_want_write) *session_want_write;
  __typeof__(nghttp2_session_get_remote_settings) *session_get_remote_settings;
  __typeof__(nghttp2_session_get_remote_window_size) *session_get_remote_window_size;
  __typeof__(nghttp2_session_get_stream_user_data) *session_get_stream_user_data;
  __typeof__(nghttp2_session_get_stream_local_close) *session_get_stream_local_close;
  __typeof__(nghttp2_submit_settings) *submit_settings;
  __typeof__(nghttp2_submit_request) *submit_request;
  __typeof__(nghttp2_submit_rst_stream) *submit_rst_stream;
  __typeof__(nghttp2_submit_ping) *submit_ping;
  __typeof__(nghttp2_submit_goaway) *submit_goaway;
} library;

// The name of a function is that of its place, so that neither can be mistaken for another.
#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, "nghttp2_" #name)) != NULL)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int are_there;

static void load(void) {
  void *file = dlopen("libnghttp2.so.14", RTLD_NOW | RTLD_LOCAL);
  are_there = file != NULL && FIND(file, session_callbacks_new) && FIND(file, session_callbacks_del) &&
              FIND(file, session_callbacks_set_on_frame_recv_callback) &&
              FIND(file, session_callbacks_set_on_header_callback) &&
              FIND(file, session_callbacks_set_on_data_chunk_recv_callback) &&
              FIND(file, session_callbacks_set_on_stream_close_callback) &&
              FIND(file, session_callbacks_set_before_frame_send_callback) &&
              FIND(file, session_callbacks_set_on_frame_not_send_callback) && FIND(file, session_client_new) &&
              FIND(file, session_del) && FIND(file, session_mem_recv) && FIND(file, session_mem_send) &&
              FIND(file, session_want_read) && FIND(file, session_want_write) &&
              FIND(file, session_get_remote_settings) && FIND(file, session_get_remote_window_size) &&
              FIND(file, session_get_stream_user_data) &&
              FIND(file, session_get_stream_local_close) && FIND(file, submit_settings) &&
              FIND(file, submit_request) && FIND(file, submit_rst_stream) && FIND(file, submit_ping) &&
              FIND(file, submit_goaway);
}

int frames_are_there(void) {
  pthread_once(&once, load);
  return are_there;
}

// What is left to send of a request; nghttp2 forgets streams without a word when a connection ends.
struct body {
  struct body *next, *previous;
  size_t length, sent;
  uint8_t bytes[];
};

struct frames {
  nghttp2_session *session;
  void (*hear)(void *context, const struct frames_event *event);
  void *context;
  struct body *bodies;
};

static void tell(struct frames *frames, struct frames_event event) { frames->hear(frames->context, &event); }

static void forget(struct frames *frames, struct body *body) {
  if (body == NULL) return;
  if (body->previous != NULL) body->previous->next = body->next;
  if (body->next != NULL) body->next->previous = body->previous;
  if (frames->bodies == body) frames->bodies = body->next;
  free(body);
}

// nghttp2 counts on from here: a reset is only for a stream whose request is not out whole.
static int hear_frame(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  struct frames *frames = context;
  int32_t stream = frame->hd.stream_id;
  switch (frame->hd.type) {
    case NGHTTP2_SETTINGS:
      if (frame->hd.flags & NGHTTP2_FLAG_ACK) break;
      tell(frames, (struct frames_event){
          .kind = frames_settings,
          .number = library.session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)});
      break;
    case NGHTTP2_PING:
      if (frame->hd.flags & NGHTTP2_FLAG_ACK) tell(frames, (struct frames_event){.kind = frames_pong});
      break;
    case NGHTTP2_GOAWAY:
      tell(frames, (struct frames_event){
          .kind = frames_go_away, .stream = frame->goaway.last_stream_id, .number = frame->goaway.error_code,
          .value = frame->goaway.opaque_data, .value_length = frame->goaway.opaque_data_len});
      break;
    case NGHTTP2_HEADERS:
    case NGHTTP2_DATA:
      if (!(frame->hd.flags & NGHTTP2_FLAG_END_STREAM)) break;
      tell(frames, (struct frames_event){.kind = frames_whole, .stream = stream});
      if (library.session_get_stream_local_close(session, stream) == 0)
        library.submit_rst_stream(session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_NO_ERROR);
      break;
  }
  return 0;
}

static int hear_header(
    nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
    const uint8_t *value, size_t value_length, uint8_t flags, void *context) {
  (void)session;
  (void)flags;
  if (frame->hd.type == NGHTTP2_HEADERS)
    tell(context, (struct frames_event){
        .kind = frames_header, .stream = frame->hd.stream_id, .name = name, .name_length = name_length,
        .value = value, .value_length = value_length});
  return 0;
}

static int hear_body(
    nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes, size_t length, void *context) {
  (void)session;
  (void)flags;
  tell(context, (struct frames_event){
      .kind = frames_body, .stream = stream, .value = bytes, .value_length = length});
  return 0;
}

static int hear_end(nghttp2_session *session, int32_t stream, uint32_t code, void *context) {
  struct frames *frames = context;
  forget(frames, library.session_get_stream_user_data(session, stream));
  tell(frames, (struct frames_event){.kind = frames_ended, .stream = stream, .number = code});
  return 0;
}

static int hear_leaving(nghttp2_session *session, const nghttp2_frame *frame, void *context) {
  (void)session;
  if (frame->hd.type == NGHTTP2_HEADERS)
    tell(context, (struct frames_event){.kind = frames_leaving, .stream = frame->hd.stream_id});
  return 0;
}

static int hear_kept(nghttp2_session *session, const nghttp2_frame *frame, int error, void *context) {
  (void)session;
  (void)error;
  if (frame->hd.type == NGHTTP2_HEADERS)
    tell(context, (struct frames_event){.kind = frames_kept, .stream = frame->hd.stream_id});
  return 0;
}

static nghttp2_session *new_session(struct frames *frames) {
  nghttp2_session *session = NULL;
  nghttp2_session_callbacks *calls;
  if (library.session_callbacks_new(&calls) != 0) return NULL;
  library.session_callbacks_set_on_frame_recv_callback(calls, hear_frame);
  library.session_callbacks_set_on_header_callback(calls, hear_header);
  library.session_callbacks_set_on_data_chunk_recv_callback(calls, hear_body);
  library.session_callbacks_set_on_stream_close_callback(calls, hear_end);
  library.session_callbacks_set_before_frame_send_callback(calls, hear_leaving);
  library.session_callbacks_set_on_frame_not_send_callback(calls, hear_kept);
  if (library.session_client_new(&session, calls, frames) != 0) session = NULL;
  library.session_callbacks_del(calls);
  return session;
}

struct frames *frames_open(void (*hear)(void *context, const struct frames_event *event), void *context) {
  static const nghttp2_settings_entry no_push = {NGHTTP2_SETTINGS_ENABLE_PUSH, 0};
  if (!frames_are_there()) return NULL;
  struct frames *frames = calloc(1, sizeof *frames);
  if (frames == NULL) return NULL;
  *frames = (struct frames){.hear = hear, .context = context};
  frames->session = new_session(frames);
  if (frames->session == NULL || library.submit_settings(frames->session, NGHTTP2_FLAG_NONE, &no_push, 1) != 0) {
    frames_close(frames);
    return NULL;
  }
  return frames;
}

void frames_close(struct frames *frames) {
  if (frames->session != NULL) library.session_del(frames->session);
  while (frames->bodies != NULL) forget(frames, frames->bodies);
  free(frames);
}

static ssize_t give_body(
    nghttp2_session *session, int32_t stream, uint8_t *bytes, size_t room, uint32_t *flags,
    nghttp2_data_source *source, void *context) {
  (void)session;
  (void)stream;
  (void)context;
  struct body *body = source->ptr;
  size_t left = body->length - body->sent, count = left < room ? left : room;
  memcpy(bytes, body->bytes + body->sent, count);
  body->sent += count;
  if (body->sent == body->length) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return (ssize_t)count;
}

static struct body *keep(struct frames *frames, const uint8_t *bytes, size_t length) {
  struct body *body = malloc(sizeof *body + length);
  if (body == NULL) return NULL;
  *body = (struct body){.next = frames->bodies, .length = length};
  if (length > 0) memcpy(body->bytes, bytes, length);
  if (body->next != NULL) body->next->previous = body;
  return frames->bodies = body;
}

int32_t frames_request(
    struct frames *frames, const uint8_t *text, const struct frames_field *fields, size_t count,
    const uint8_t *body, size_t length) {
  nghttp2_nv list[64];
  if (count > sizeof list / sizeof *list) return NGHTTP2_ERR_INVALID_ARGUMENT;
  for (size_t index = 0; index < count; index++) {
    const struct frames_field *field = &fields[index];
    list[index] = (nghttp2_nv){
        .name = (uint8_t *)text, .namelen = field->name_length, .value = (uint8_t *)text + field->name_length,
        .valuelen = field->value_length,
        .flags = field->is_unique ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE};
    text += field->name_length + field->value_length;
  }
  struct body *kept = length > 0 ? keep(frames, body, length) : NULL;
  if (length > 0 && kept == NULL) return NGHTTP2_ERR_NOMEM;
  nghttp2_data_provider provider = {.source = {.ptr = kept}, .read_callback = give_body};
  int32_t stream =
      library.submit_request(frames->session, NULL, list, count, kept != NULL ? &provider : NULL, kept);
  if (stream < 0) forget(frames, kept);
  return stream;
}

void frames_reset(struct frames *frames, int32_t stream, uint32_t code) {
  library.submit_rst_stream(frames->session, NGHTTP2_FLAG_NONE, stream, code);
}

void frames_ping(struct frames *frames) { library.submit_ping(frames->session, NGHTTP2_FLAG_NONE, NULL); }

void frames_say_go_away(struct frames *frames) {
  library.submit_goaway(frames->session, NGHTTP2_FLAG_NONE, 0, NGHTTP2_NO_ERROR, NULL, 0);
}

int frames_read(struct frames *frames, const uint8_t *bytes, size_t length) {
  ssize_t count = library.session_mem_recv(frames->session, bytes, length);
  return count < 0 ? (int)count : 0;
}

long frames_write(struct frames *frames, const uint8_t **bytes) {
  return library.session_mem_send(frames->session, bytes);
}

long frames_room(struct frames *frames) { return library.session_get_remote_window_size(frames->session); }

int frames_waits(struct frames *frames, int32_t stream) {
  return library.session_get_stream_local_close(frames->session, stream) == 0;
}

long frames_stream_room(struct frames *frames) {
  return library.session_get_remote_settings(frames->session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE);
}

int frames_are_done(struct frames *frames) {
  return !library.session_want_read(frames->session) && !library.session_want_write(frames->session);
}
