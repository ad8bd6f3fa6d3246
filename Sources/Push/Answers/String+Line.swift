extension String {
  /// The text without what could break a line, no longer than a reason is.
  var forALine: String {
    String(decoding: utf8.prefix(200).map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}
