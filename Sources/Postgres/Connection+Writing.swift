extension Connection {
  /// Refuses a session that may only read, as the first statement that writes would be refused.
  public func requireWritable() throws(PostgresError) {
    let row = try run(
      "SELECT current_setting('transaction_read_only') = 'on', pg_is_in_recovery()"
    ).only
    let (isReadOnly, isStandby): (Bool, Bool) = (try row[0], try row[1])
    guard isReadOnly else { return }
    var report = ServerReport(
      sqlState: ServerReport.readOnly, message: "the role may only read here", statement: "")
    report.readOnly = isStandby ? .standby : .setting
    throw .failed(report)
  }
}
