import Synchronization

/// What became of pushes while the database could not be told, kept until it can.
///
/// At most one window of pushes for each part that an outage has caught: nothing more is claimed before
/// these are written.
final class UnwrittenReports: Sendable {
  private let reports = Mutex<[PushReport]>([])

  func keep(_ report: PushReport) {
    guard !report.isEmpty else { return }
    reports.withLock { $0.append(report) }
  }

  /// What there is to write; whoever takes it keeps again what cannot be written.
  func take() -> [PushReport] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }
}
