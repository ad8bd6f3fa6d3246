internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  /// Lets the daemons of this version take over from those of others.
  static let handover: Command = Command(
    name: "handover",
    summary: "let the daemons of this version take over from those of others, without a gap",
    discussion: """
      For an upgrade, and in the other direction to roll back: start a daemon of the version that is to
      stay, then run this command of the same version. It waits until that daemon has decided all that
      was due, asks the daemons of all other versions to end, waits until they are gone, and says who
      goes on with what they worked at. While both are alive either decides, and each tick has one row.

      When no daemon of this version gets ready in time, nobody is asked to end; when an old one is still
      there at the end of --wait, it is named. Both end with 75. --dry-run waits for nobody and asks
      nobody.
      """,
    options: [.config, .handoverWait, .handoverRehearsal, .json],
    examples: [("worker handover --dry-run", "who would take over from whom")],
    run: { arguments, console in
      let session = try LedgerSession.openLedger(arguments)
      let patience = try arguments.patience(.handoverWait, of: .handover, else: .seconds(300))
      if arguments.has(.handoverRehearsal) {
        let plan = try Handover.plan(to: Build.name, on: session.connection)
        try console.answer(plan.text, plan.json, to: arguments)
        return .done
      }
      console.remark(
        "waits for a daemon of version \(Build.name) to be ready, and for the end of the others,"
          + " \(patience.written) at most")
      let report = try Handover.carryOut(
        to: Build.name, by: Host.author, within: patience, on: session.connection)
      try console.answer(report.text, report.json, to: arguments)
      return report.left.isEmpty ? .done : .refusedForNow
    })
}

extension Option {
  fileprivate static let handoverWait = value(
    "wait", "DURATION", "how long it may take in all; else 5m")
  fileprivate static let handoverRehearsal = flag("dry-run", "only say who would be asked to end")
}
