/// Something that keeps settings from being used, where it was written, and what to write.
public struct Problem: Error, Sendable, Hashable {
  /// The file as the caller named it, or the environment variable.
  public let file: String
  /// Nothing for what stands in no file.
  public let position: SourcePosition?
  public let what: SettingsFault

  public init(file: String, position: SourcePosition? = nil, what: SettingsFault) {
    self.file = file
    self.position = position
    self.what = what
  }
}

extension Problem: CustomStringConvertible {
  public var description: String {
    guard let position else { return "\(file): \(what)" }
    return "\(file):\(position.line):\(position.column): \(what)"
  }
}
