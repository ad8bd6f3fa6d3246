internal import Glibc

/// Texts as C takes them: a list of strings that ends with NULL.
@unsafe final class CTextList {
  let list: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) {
    unsafe list = texts.map { unsafe strdup($0) } + [nil]
  }

  deinit {
    unsafe list.forEach { unsafe free($0) }
  }
}
