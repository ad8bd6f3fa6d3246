/// A column of a result that cannot be read as the Swift type asked for.
public struct UnreadableColumn: Sendable, Equatable {
  public let column: String
  public let type: PostgresType
  public let swiftType: String
  public let problem: ValueProblem

  /// The first line of the statement.
  public let statement: String
}

extension UnreadableColumn: CustomStringConvertible {
  public var description: String {
    "cannot read column '\(column)' (\(type)) as \(swiftType) in '\(statement)': \(remedy)"
  }

  private var remedy: String {
    switch problem {
    case .wrongType:
      type.swiftName.map { "read it as \($0)" } ?? "cast it to text, as in \(column)::text"
    case .null:
      "it is NULL; read it as \(swiftType)?, or let the statement return a value"
    case .invalid(let reason):
      reason
    }
  }
}
