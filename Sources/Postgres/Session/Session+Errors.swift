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
    func text(_ code: UnicodeScalar) -> String? {
      result.errorField(code).map(scrub)
    }
    var report = ServerReport(
      sqlState: sqlState, message: text("M") ?? "", statement: scrub(statement.firstLine))
    report.role = sqlState == ServerReport.insufficientPrivilege ? role : nil
    report.readOnly = sqlState == ServerReport.readOnly ? readOnlyCause : nil
    report.whole = sqlState == ServerReport.lockNotAvailable ? statement.text : nil
    report.detail = text("D")
    report.hint = text("H")
    report.context = text("W")
    report.constraint = result.errorField("n")
    report.schema = result.errorField("s")
    report.table = result.errorField("t")
    report.column = result.errorField("c")
    return report
  }

  /// Why nothing may be written, as far as the server tells that by itself; a pooler may keep it back.
  private var readOnlyCause: ServerReport.ReadOnly? {
    if parameter("in_hot_standby") == "on" { return .standby }
    return parameter("default_transaction_read_only") == "on" ? .setting : nil
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
