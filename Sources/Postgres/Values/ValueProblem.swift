/// Why a value cannot be read from a column, or cannot be sent.
public enum ValueProblem: Error, Equatable {
  /// The column's type is one that the Swift type does not read.
  case wrongType

  /// The value is NULL and the Swift type has no such value.
  case null

  /// The value itself cannot be carried; the text says what it is, as in "it holds 'infinity'".
  case invalid(String)
}
