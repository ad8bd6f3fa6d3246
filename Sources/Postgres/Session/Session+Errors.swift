internal import CPostgres

extension Session {
  /// The error that `result` is, or nil when it is none; a session it ends is closed.
  func error(in result: ResultSet, _ watch: borrowing Watch) -> PostgresError? {
    guard result.isError else { return nil }
    let severity = result.errorField("V")
    guard let sqlState = result.errorField("C"), severity != "FATAL", severity != "PANIC" else {
      let message = result.errorField("M") ?? result.errorMessage
      return lose(scrub(message.firstSentence), in: watch.statement)
    }
    let report = report(of: result, sqlState: sqlState, watch.statement)
    switch sqlState {
    case "40001", "40P01": return .retryable(report)
    case "57014": return watch.error(because: report)
    case _ where sqlState.hasPrefix("23"): return .constraint(report)
    default: return .failed(report)
    }
  }

  private func report(
    of result: ResultSet, sqlState: String, _ statement: Statement
  ) -> ServerReport {
    func field(_ code: UnicodeScalar) -> String? {
      result.errorField(code).map(scrub)
    }
    var report = ServerReport(
      sqlState: sqlState, message: field("M") ?? "", statement: scrub(statement.firstLine))
    report.detail = field("D")
    report.hint = field("H")
    report.context = field("W")
    report.constraint = field("n")
    report.schema = field("s")
    report.table = field("t")
    report.column = field("c")
    return report
  }
}

extension String {
  /// The first line of what libpq says, without the guesses that it adds.
  var firstSentence: String {
    split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
  }

  /// The text with an ellipsis in the place of each secret.
  func without(_ secrets: [String]) -> String {
    secrets.filter { !$0.isEmpty }.reduce(self) { $0.replacing($1, with: "…") }
  }
}
