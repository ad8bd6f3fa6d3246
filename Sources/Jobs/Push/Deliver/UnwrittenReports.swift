import JobKit
import Synchronization

/// What became of pushes while the database could not be told, kept until it can.
///
/// No more than a part may have in its hands, for each part that an outage has caught: nothing more is claimed before
/// these are written. A process has one of them, whatever settings its job is made anew by.
public final class UnwrittenReports: Sendable {
  private let reports = Mutex<[DeliveryReport]>([])

  public init() {}

  func keep(_ report: DeliveryReport) {
    guard !report.isEmpty else { return }
    reports.withLock { $0.append(report) }
  }

  /// Whether there is something to write of what an owner had in its hands.
  func holds(_ owner: PushOwner) -> Bool {
    reports.withLock { $0.contains { $0.owner == owner } }
  }

  /// What a part has to write; whoever takes it keeps again what cannot be written.
  ///
  /// What another part reported is left to that part, which would hold it for lost while this one writes
  /// it. Reports of a run in more parts than this one go to the part that has their remainder.
  func take(by part: PartNumber) -> [DeliveryReport] {
    reports.withLock { reports in
      let isOwn: (DeliveryReport) -> Bool = { $0.owner.part % part.count == part.number }
      defer { reports.removeAll(where: isOwn) }
      return reports.filter(isOwn)
    }
  }
}
