internal import JobKit
internal import Runner

/// Ends the service when somebody asks it to through the ledger, as a signal would.
struct Ending: DaemonListener {
  let toldToEnd: Latch

  func handle(_ event: DaemonEvent) {
    if case .toldToEnd = event { toldToEnd.happen() }
  }
}
