#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>

// The frames of HTTP/2 by libnghttp2, loaded when the first connection is made: a daemon that pushes nowhere does
// without it. It reads and writes memory only; sockets and decisions are somebody else's.

/// What is told of a connection.
enum frames_kind {
  /// The server's settings; `number` is how many streams it allows.
  frames_settings = 1,
  /// A request's headers are about to be made into bytes.
  frames_leaving,
  /// A request's headers could not be made into bytes.
  frames_kept,
  /// One header of an answer, `name` and `value`.
  frames_header,
  /// Some of an answer's body, in `value`.
  frames_body,
  /// An answer is whole.
  frames_whole,
  /// A stream has ended; `number` is HTTP/2's error code.
  frames_ended,
  /// The server takes no stream above `stream`; `number` is the error code, `value` what it says of it.
  frames_go_away,
  /// The server answered a ping.
  frames_pong,
};

struct frames_event {
  enum frames_kind kind;
  int32_t stream;
  uint32_t number;
  const uint8_t *name;
  size_t name_length;
  const uint8_t *value;
  size_t value_length;
};

/// Where a header is in a text that holds all of them, one name and value after the other.
struct frames_field {
  uint32_t name_length;
  uint32_t value_length;
  /// Whether no other request will have the same: it stays out of the compressor's table.
  uint32_t is_unique;
};

/// A client's side of one connection.
struct frames;

/// Whether the library is installed.
int frames_are_there(void);

/// Begins a connection; `hear` is told what happens while bytes are read or written. NULL without memory.
struct frames *frames_open(void (*hear)(void *context, const struct frames_event *event), void *context);
void frames_close(struct frames *frames);

/// Asks for one stream; returns its number, or a negative error of nghttp2. Nothing of it is a byte yet.
int32_t frames_request(
    struct frames *frames, const uint8_t *text, const struct frames_field *fields, size_t count,
    const uint8_t *body, size_t length);

void frames_reset(struct frames *frames, int32_t stream, uint32_t code);
void frames_ping(struct frames *frames);
void frames_say_go_away(struct frames *frames);

/// Reads bytes of the server; 0, or a negative error of nghttp2 after which the connection is of no use.
int frames_read(struct frames *frames, const uint8_t *bytes, size_t length);

/// Makes the next bytes for the server, which are good until the next call; 0 when there are none.
long frames_write(struct frames *frames, const uint8_t **bytes);

/// Whether a request's headers are bytes, and the rest of its body waits until the server has room for it.
int frames_waits(struct frames *frames, int32_t stream);

/// How many bytes of bodies the server has room for on the connection, and of one body on a new stream.
long frames_room(struct frames *frames);
long frames_stream_room(struct frames *frames);

/// Whether the connection has an end that the library has found necessary.
int frames_are_done(struct frames *frames);
