#pragma once
#include <stddef.h>
#include <stdint.h>

// TLS by OpenSSL's libssl, which is loaded when the first connection is made: a daemon that pushes nowhere does without it.
// What OpenSSL has as macros, which Swift cannot call, are functions here.

/// How an attempt to shake hands, to read or to write went.
enum tls_outcome {
  tls_done = 0,
  tls_wants_to_read = 1,
  tls_wants_to_write = 2,
  tls_ended = 3,
  tls_failed = 4,
};

/// Whom a client believes.
struct tls_trust;

/// One connection, over a socket that belongs to somebody else.
struct tls_stream;

/// Whether the library is installed.
int tls_is_there(void);

/// Believes the authorities in the file at `authorities`, or those of this machine when it is NULL.
///
/// NULL when the file cannot be read as certificates.
struct tls_trust *tls_trust_open(const char *authorities);
void tls_trust_close(struct tls_trust *trust);

/// A client's side over a connected socket, for the server called `host`, which must show a certificate of that
/// name and speak HTTP/2; NULL when there is no memory.
struct tls_stream *tls_open(struct tls_trust *trust, int socket, const char *host);
void tls_close(struct tls_stream *stream);

enum tls_outcome tls_shake_hands(struct tls_stream *stream);

/// Whether the server has chosen HTTP/2.
int tls_speaks_http2(struct tls_stream *stream);

/// Reads up to `room` bytes; `count` says how many, and is 0 when the outcome is not `tls_done`.
enum tls_outcome tls_read(struct tls_stream *stream, uint8_t *bytes, size_t room, size_t *count);

/// Writes some of the bytes; `count` says how many. After `tls_wants_to_…` the same bytes have to come again.
enum tls_outcome tls_write(struct tls_stream *stream, const uint8_t *bytes, size_t length, size_t *count);

/// Says that nothing more will come.
void tls_say_end(struct tls_stream *stream);

/// Why the last attempt failed, in OpenSSL's words.
const char *tls_words(struct tls_stream *stream);
