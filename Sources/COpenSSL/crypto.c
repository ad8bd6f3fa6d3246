#define _GNU_SOURCE
#include "crypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <string.h>

static struct {
  __typeof__(BIO_free) *BIO_free;
  __typeof__(BIO_new_mem_buf) *BIO_new_mem_buf;
  __typeof__(BN_bn2binpad) *BN_bn2binpad;
  __typeof__(ECDSA_SIG_free) *ECDSA_SIG_free;
  __typeof__(ECDSA_SIG_get0) *ECDSA_SIG_get0;
  __typeof__(ERR_clear_error) *ERR_clear_error;
  __typeof__(EVP_Digest) *EVP_Digest;
  __typeof__(EVP_DigestSign) *EVP_DigestSign;
  __typeof__(EVP_DigestSignInit) *EVP_DigestSignInit;
  __typeof__(EVP_MD_CTX_free) *EVP_MD_CTX_free;
  __typeof__(EVP_MD_CTX_new) *EVP_MD_CTX_new;
  __typeof__(EVP_PKEY_free) *EVP_PKEY_free;
  __typeof__(EVP_PKEY_get_base_id) *EVP_PKEY_get_base_id;
  __typeof__(EVP_PKEY_get_bits) *EVP_PKEY_get_bits;
  __typeof__(EVP_PKEY_get_group_name) *EVP_PKEY_get_group_name;
  __typeof__(EVP_sha256) *EVP_sha256;
  __typeof__(HMAC) *HMAC;
  __typeof__(PEM_read_bio_PrivateKey) *PEM_read_bio_PrivateKey;
  __typeof__(d2i_ECDSA_SIG) *d2i_ECDSA_SIG;
} library;

// The name of a function is that of its place, so that neither can be mistaken for another.
#define FIND(file, name) ((library.name = (__typeof__(library.name))dlsym(file, #name)) != NULL)

int crypto_is_there(void) {
  void *file = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  return file != NULL && FIND(file, BIO_free) && FIND(file, BIO_new_mem_buf) && FIND(file, BN_bn2binpad) &&
         FIND(file, ECDSA_SIG_free) && FIND(file, ECDSA_SIG_get0) && FIND(file, ERR_clear_error) &&
         FIND(file, EVP_Digest) && FIND(file, EVP_DigestSign) && FIND(file, EVP_DigestSignInit) &&
         FIND(file, EVP_MD_CTX_free) && FIND(file, EVP_MD_CTX_new) && FIND(file, EVP_PKEY_free) &&
         FIND(file, EVP_PKEY_get_base_id) && FIND(file, EVP_PKEY_get_bits) &&
         FIND(file, EVP_PKEY_get_group_name) && FIND(file, EVP_sha256) && FIND(file, HMAC) &&
         FIND(file, PEM_read_bio_PrivateKey) && FIND(file, d2i_ECDSA_SIG);
}

// Without it OpenSSL would ask for the password on the terminal, of a daemon as well.
static int refuse_password(char *password, int room, int is_written, void *is_locked) {
  (void)password;
  (void)room;
  (void)is_written;
  *(int *)is_locked = 1;
  return -1;
}

static EVP_PKEY *read_key(const uint8_t *pem, size_t count, int *is_locked) {
  *is_locked = 0;
  if (count > INT_MAX) return NULL;
  BIO *text = library.BIO_new_mem_buf(pem, (int)count);
  if (text == NULL) return NULL;
  EVP_PKEY *key = library.PEM_read_bio_PrivateKey(text, NULL, refuse_password, is_locked);
  library.BIO_free(text);
  // An error that stays would be taken for that of the next connection on this thread.
  library.ERR_clear_error();
  return key;
}

static enum crypto_kind kind_of(EVP_PKEY *key) {
  char group[32] = "";
  switch (library.EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      return library.EVP_PKEY_get_bits(key) >= 2048 ? CRYPTO_RSA_KEY : CRYPTO_SHORT_RSA_KEY;
    case EVP_PKEY_EC:
      library.EVP_PKEY_get_group_name(key, group, sizeof group, NULL);
      return strcmp(group, "prime256v1") == 0 ? CRYPTO_P256_KEY : CRYPTO_OTHER_KEY;
    default:
      return CRYPTO_OTHER_KEY;
  }
}

enum crypto_kind crypto_kind_of(const uint8_t *pem, size_t count) {
  int is_locked;
  EVP_PKEY *key = read_key(pem, count, &is_locked);
  if (key == NULL) return is_locked ? CRYPTO_LOCKED_KEY : CRYPTO_NO_KEY;
  enum crypto_kind kind = kind_of(key);
  library.EVP_PKEY_free(key);
  return kind;
}

// Signs with a key of that kind only; returns how long the signature is.
static size_t sign(
    const uint8_t *pem, size_t count, enum crypto_kind kind, const uint8_t *text, size_t length,
    uint8_t *signature, size_t room) {
  int is_locked;
  EVP_PKEY *key = read_key(pem, count, &is_locked);
  if (key == NULL) return 0;
  EVP_MD_CTX *context = library.EVP_MD_CTX_new();
  size_t signed_count = room;
  int is_signed = context != NULL && kind_of(key) == kind &&
                  library.EVP_DigestSignInit(context, NULL, library.EVP_sha256(), NULL, key) == 1 &&
                  library.EVP_DigestSign(context, signature, &signed_count, text, length) == 1;
  library.EVP_MD_CTX_free(context);
  library.EVP_PKEY_free(key);
  library.ERR_clear_error();
  return is_signed ? signed_count : 0;
}

int crypto_es256(const uint8_t *pem, size_t count, const uint8_t *text, size_t length, uint8_t signature[64]) {
  uint8_t wrapped[128];
  const uint8_t *at = wrapped;
  size_t wrapped_count = sign(pem, count, CRYPTO_P256_KEY, text, length, wrapped, sizeof wrapped);
  ECDSA_SIG *pair = wrapped_count == 0 ? NULL : library.d2i_ECDSA_SIG(NULL, &at, (long)wrapped_count);
  if (pair == NULL) return 0;
  const BIGNUM *r = NULL, *s = NULL;
  library.ECDSA_SIG_get0(pair, &r, &s);
  int is_written =
      library.BN_bn2binpad(r, signature, 32) == 32 && library.BN_bn2binpad(s, signature + 32, 32) == 32;
  library.ECDSA_SIG_free(pair);
  return is_written;
}

size_t crypto_rs256(
    const uint8_t *pem, size_t count, const uint8_t *text, size_t length, uint8_t *signature, size_t room) {
  return sign(pem, count, CRYPTO_RSA_KEY, text, length, signature, room);
}

int crypto_hmac_sha256(const uint8_t *key, size_t count, const uint8_t *text, size_t length, uint8_t hash[32]) {
  return count <= INT_MAX &&
         library.HMAC(library.EVP_sha256(), key, (int)count, text, length, hash, NULL) != NULL;
}

int crypto_sha256(const uint8_t *text, size_t length, uint8_t hash[32]) {
  return library.EVP_Digest(text, length, hash, NULL, library.EVP_sha256(), NULL) == 1;
}
