internal import Glibc

/// Calls `body` with the texts as a list of C strings that ends with NULL.
@unsafe func withCStrings<Value>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
) -> Value {
  let copies = unsafe texts.map { unsafe strdup($0) }
  defer { unsafe copies.forEach { unsafe free($0) } }
  var list = unsafe copies.map { unsafe UnsafePointer($0) }
  unsafe list.append(nil)
  return unsafe body(list)
}
