/// One SQL statement whose interpolated values travel as parameters.
///
/// `"UPDATE run SET state = \(state) WHERE id = \(id)"` sends two parameters, never text, so no value
/// can change what the statement means. Text that is SQL must say so: `\(verbatim: …)`; names of
/// tables and columns are quoted by `\(identifier: …)`; another statement keeps its parameters.
public struct Statement: Sendable {
  /// The text around the parameters: one piece more than there are parameters.
  private(set) var pieces: [String]

  /// The parameters in the order in which they are written.
  private(set) var parameters: [Parameter]

  /// Whether the server should keep its plan.
  private(set) var keepsPlan = false

  /// The same statement, as one that is run often in the same words: the server keeps its plan where it
  /// can.
  public var keepingPlan: Statement {
    var statement = self
    statement.keepsPlan = true
    return statement
  }

  /// The statement that has this text and no parameters.
  public init(verbatim text: String) {
    pieces = [text]
    parameters = []
  }

  private init() {
    self.init(verbatim: "")
  }

  /// The text as Postgres reads it, with `$1` and so on for the parameters.
  public var text: String {
    var text = pieces[0]
    for (index, piece) in pieces.dropFirst().enumerated() {
      text += "$\(index + 1)\(piece)"
    }
    return text
  }

  /// The first line that is not empty, by which errors name the statement.
  public var firstLine: String {
    let lines = text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmed }
    let line = lines.first { !$0.isEmpty } ?? ""
    return line.count <= Self.longestName ? String(line) : line.prefix(Self.longestName - 1) + "…"
  }

  private static let longestName = 120

  private mutating func append(verbatim text: String) {
    pieces[pieces.count - 1] += text
  }

  private mutating func append(_ parameter: Parameter) {
    parameters.append(parameter)
    pieces.append("")
  }

  fileprivate mutating func append(_ statement: Statement) {
    append(verbatim: statement.pieces[0])
    parameters += statement.parameters
    pieces += statement.pieces.dropFirst()
  }
}

extension Statement: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) {
    self.init(verbatim: text)
  }

  public init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.statement
  }

  /// What a string literal of type `Statement` is built from.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var statement = Statement()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) {
      statement.append(verbatim: text)
    }

    /// Sends `value` as a parameter.
    @inlinable
    public mutating func appendInterpolation(_ value: some PostgresValue) {
      add(Parameter(value))
    }

    /// Sends `value` as a parameter, or NULL when there is none.
    @inlinable
    public mutating func appendInterpolation(_ value: (some PostgresValue)?) {
      add(Parameter(value))
    }

    @usableFromInline
    mutating func add(_ parameter: Parameter) {
      statement.append(parameter)
    }

    /// Inserts a part of a statement together with its parameters.
    public mutating func appendInterpolation(_ part: Statement) {
      statement.append(part)
    }

    /// Inserts text that is SQL: never text that came from outside.
    public mutating func appendInterpolation(verbatim text: String) {
      statement.append(verbatim: text)
    }

    /// Inserts the name of a table, a column or the like, quoted.
    public mutating func appendInterpolation(identifier name: String) {
      statement.append(verbatim: "\"\(name.replacing("\"", with: "\"\""))\"")
    }
  }
}

extension [Statement] {
  /// The statements one after the other with `separator` between them, and all their parameters.
  public func joined(by separator: Statement) -> Statement {
    guard var joined = first else { return "" }
    for statement in dropFirst() {
      joined.append(separator)
      joined.append(statement)
    }
    return joined
  }
}

extension Substring {
  /// The text without the spaces around it.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...end]
  }
}
