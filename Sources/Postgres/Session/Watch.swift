/// What a statement is watched for while it runs, and what became of it.
struct Watch {
  var statement: Statement

  /// How long the server may take, or nil for ever.
  let limit: Duration?

  /// Whether the limit begins anew with each wait, as for results of any length.
  let isPerWait: Bool

  /// Nil for what must happen even after a cancel, such as ROLLBACK.
  let canceller: Canceller?

  /// Why the server was asked to end the statement, if it was.
  private(set) var interruption: Interruption?

  private var deadline: Deadline?

  /// When the server must have ended the statement, if it was asked to.
  private(set) var endOfGrace: Deadline?

  enum Interruption {
    case deadline
    case cancel
    case enough
  }

  init(
    _ statement: Statement, limit: Duration?, isPerWait: Bool = false, canceller: Canceller?
  ) {
    self.statement = statement
    self.limit = limit
    self.isPerWait = isPerWait
    self.canceller = canceller
    deadline = isPerWait ? nil : limit.map(Deadline.init(after:))
  }

  /// The moment at which the wait that begins now has lasted too long.
  var deadlineOfWait: Deadline? {
    if interruption == nil, isPerWait { limit.map(Deadline.init(after:)) } else { deadline }
  }

  /// Notes why the statement is to end, and that it must have ended by `end`.
  mutating func interrupt(_ interruption: Interruption, until end: Deadline) {
    self.interruption = interruption
    endOfGrace = end
  }

  /// Lets the server answer a request until then.
  mutating func waitForAnswer(until deadline: Deadline) { self.deadline = deadline }

  /// The error of a statement that Postgres ended early, as `report` says.
  ///
  /// Only its words tell a limit of the server from somebody who cancelled there. In a language that is not
  /// understood it is taken for the limit: that is what happens, and smaller chunks harm nobody.
  func error(because report: ServerReport) -> PostgresError {
    guard interruption == nil, !report.message.contains("user request") else {
      return errorOfInterruption
    }
    return .deadline(nil, statement: statement.firstLine)
  }

  /// The error of a statement that was asked to end.
  var errorOfInterruption: PostgresError {
    interruption == .deadline
      ? .deadline(limit, statement: statement.firstLine)
      : .cancelled(statement: statement.firstLine)
  }
}
