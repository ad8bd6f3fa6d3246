#pragma once
#include <stddef.h>
#include <stdint.h>

// What libcrypto signs and hashes, loaded when the first push has to be signed: a daemon whose pushes go to a
// log does without it. A key is handed over as its text each time, and nothing of it stays behind: the tokens
// that providers want are signed once an hour.

/// Whether the library is installed.
int crypto_is_there(void);

/// What a text in PEM holds.
enum crypto_kind {
  CRYPTO_NO_KEY,
  CRYPTO_LOCKED_KEY,
  CRYPTO_P256_KEY,
  CRYPTO_RSA_KEY,
  CRYPTO_SHORT_RSA_KEY,
  CRYPTO_OTHER_KEY,
};

/// What a text in PEM holds; nobody is asked for the password of a key that has one.
enum crypto_kind crypto_kind_of(const uint8_t *pem, size_t count);

/// Signs a text with a P-256 key: r and s, 32 bytes each, as JSON Web Tokens want them. 1 when it did.
int crypto_es256(const uint8_t *pem, size_t count, const uint8_t *text, size_t length, uint8_t signature[64]);

/// Signs a text with an RSA key, and returns how long the signature is; 0 when it could not, or has no room.
size_t crypto_rs256(
    const uint8_t *pem, size_t count, const uint8_t *text, size_t length, uint8_t *signature, size_t room);

/// The keyed hash of a text. 1 when it was made.
int crypto_hmac_sha256(const uint8_t *key, size_t count, const uint8_t *text, size_t length, uint8_t hash[32]);

/// The hash of a text. 1 when it was made.
int crypto_sha256(const uint8_t *text, size_t length, uint8_t hash[32]);
