extension String {
  /// The text with its control characters spelt out, as in `\n` and `\u{1B}`.
  ///
  /// What an operator reads quotes what somebody wrote: in one line, and without a command to the
  /// terminal in it.
  var withVisibleControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
