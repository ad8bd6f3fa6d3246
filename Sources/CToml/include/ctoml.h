#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node of a document is.
typedef enum __attribute__((enum_extensibility(closed))) ctoml_kind {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  CTOML_DATE_TIME,
} ctoml_kind;

/// Bytes of UTF-8, not terminated, that live as long as their document.
typedef struct ctoml_text {
  const uint8_t *bytes;
  size_t length;
} ctoml_text;

/// Where something was written; both count from 1, columns in Unicode scalars.
typedef struct ctoml_position {
  uint32_t line;
  uint32_t column;
} ctoml_position;

/// A value of a document. The nodes below it follow it, each with its own below it, in the order
/// in which they were written.
typedef struct ctoml_node {
  ctoml_kind kind;
  size_t children;
  ctoml_text key;  // empty in an array
  ctoml_position key_position;
  ctoml_position position;
  ctoml_text text;  // of a string; of a date-time in the notation of RFC 3339
  int64_t integer;  // of an integer; 0 or 1 of a boolean
  double number;    // of a float
} ctoml_node;

/// Why a document cannot be read.
typedef enum __attribute__((enum_extensibility(closed))) ctoml_fault {
  CTOML_FAULT_NONE,
  CTOML_FAULT_SYNTAX,
  CTOML_FAULT_MALFORMED,  // a line that the parser has no words for
  CTOML_FAULT_TOO_LONG,
  CTOML_FAULT_TOO_DEEP,
  CTOML_FAULT_TOO_MANY,
  CTOML_FAULT_NO_MEMORY,
} ctoml_fault;

enum {
  /// The longest document that is read, in bytes.
  CTOML_LONGEST = 1048576,
  /// The most parts of a dotted key, and the most arrays and inline tables inside each other.
  CTOML_DEEPEST = 16,
  /// The most dots and opening brackets outside strings: some costs of the parser grow with their
  /// square.
  CTOML_MOST_PARTS = 20000,
};

/// What reading gave: the nodes, of which the first is the root table, or one fault and where.
typedef struct ctoml_document {
  const ctoml_node *nodes;
  size_t count;
  ctoml_fault fault;
  ctoml_position fault_position;
  ctoml_text message;  // the parser's words for a syntax fault, else empty
  void *owner;
} ctoml_document;

/// Reads a whole document. What it returns stays valid until it is handed to ctoml_release.
ctoml_document ctoml_read(const uint8_t *bytes, size_t length);

void ctoml_release(ctoml_document document);

#ifdef __cplusplus
}
#endif
