internal import LocalTime

/// What a rule of the jobs' own may be: a count, a share, a duration, a time of day, a text, yes or no.
public protocol RuleValue: Hashable, Sendable {
  /// What a setting of this kind is called, such as "a duration".
  static var kindName: String { get }

  /// The value that a file has written so; nothing when it is of another kind.
  init?(_ written: WrittenRule)

  /// The value as a file writes it, without quotes.
  var written: String { get }
}

/// What a file can write as the value of a rule.
public enum WrittenRule: Sendable, Hashable {
  case whole(Int)
  case fraction(Double)
  case text(String)
  case flag(Bool)
}

extension Int: RuleValue {
  public static var kindName: String { "a whole number" }

  public init?(_ written: WrittenRule) {
    guard case .whole(let value) = written else { return nil }
    self = value
  }

  public var written: String { "\(self)" }
}

extension Double: RuleValue {
  public static var kindName: String { "a number" }

  public init?(_ written: WrittenRule) {
    switch written {
    case .whole(let value): self = Double(value)
    case .fraction(let value) where value.isFinite: self = value
    case .fraction, .text, .flag: return nil
    }
  }

  public var written: String { "\(self)" }
}

extension Duration: RuleValue {
  public static var kindName: String { "a duration" }

  public init?(_ written: WrittenRule) {
    guard case .text(let text) = written, let value = Duration(written: text) else { return nil }
    self = value
  }
}

/// A text, such as the name of a strategy or a folder.
extension String: RuleValue {
  public static var kindName: String { "a text" }

  public init?(_ written: WrittenRule) {
    guard case .text(let text) = written else { return nil }
    self = text
  }

  public var written: String { self }
}

extension Bool: RuleValue {
  public static var kindName: String { "true or false" }

  public init?(_ written: WrittenRule) {
    guard case .flag(let value) = written else { return nil }
    self = value
  }

  public var written: String { "\(self)" }
}
