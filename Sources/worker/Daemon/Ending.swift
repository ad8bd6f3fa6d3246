internal import Dispatch
internal import JobKit

/// Ends the service when somebody asks it to through the ledger, as a signal would.
struct Ending: DaemonListener {
  let isTold: DispatchSemaphore

  func hear(_ event: DaemonEvent) {
    if case .toldToEnd = event { isTold.signal() }
  }
}
