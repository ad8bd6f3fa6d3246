import JobKit
import LocalTime
import Push

/// How a window of pushes that was claimed is sent.
extension DeliverPushes {
  /// Pushes that were claimed at once, and what the stopwatch showed just before.
  typealias Window = (claim: PushClaim, since: ContinuousClock.Instant)

  /// Sends what was claimed, but for providers that take nothing.
  func decision(
    _ window: Window, sparing failing: FailingProviders, _ context: borrowing JobContext
  ) -> PushesInHand.Window {
    let (claim, owner) = (window.claim, PushOwner(context.fence))
    let learners = claim.claimed.map(\.push.learner.id)
    // A dry run is never late, and its windows are longer.
    let age = context.isDryRun ? .zero : stopwatch() - window.since
    guard age <= Self.oldest, !context.isAskedToStop else {
      return PushesInHand.Window(learners: learners) { _ in claim.untried(by: owner) }
    }
    var report = DeliveryReport(of: owner, claimedAt: claim.claimedAt)
    let isLate: (PushClaim.ClaimedPush) -> Bool = { claim.claimedAt + age >= $0.until }
    for late in claim.claimed.filter(isLate) { report.addUntried(late, until: late.until) }
    let leaving = claim.claimed.filter { !isLate($0) }
    let deliveries = begin(leaving, of: owner, sparing: failing, isDryRun: context.isDryRun)
    return PushesInHand.Window(learners: learners) { [report, rules] failing in
      var report = report
      for (sending, delivery) in zip(leaving, deliveries(&failing)) {
        report.add(sending, delivery, by: rules)
      }
      return report
    }
  }

  /// How old a claim may be when its pushes leave: beyond that others may hold it for lost.
  private static let oldest = Duration.seconds(10)

  /// Begins to send; the answer waits for what became of each, in their order.
  private func begin(
    _ claimed: [PushClaim.ClaimedPush], of owner: PushOwner, sparing failing: FailingProviders,
    isDryRun: Bool
  ) -> (inout FailingProviders) -> [Delivery] {
    guard !isDryRun else { return { _ in claimed.map { _ in .sent } } }
    let isAsked = claimed.map { !failing.contains($0) }
    let asked = zip(claimed, isAsked).filter(\.1).map(\.0)
    let answers = begin(asked, of: owner)
    return { failing in
      let answers = answers()
      failing.find(in: asked, by: answers)
      var rest = answers[...]
      return isAsked.map {
        ($0 ? rest.popFirst() : nil) ?? .notSent("its provider takes nothing")
      }
    }
  }

  private func begin(
    _ claimed: [PushClaim.ClaimedPush], of owner: PushOwner
  ) -> () -> [Delivery] {
    guard !claimed.isEmpty else { return { [] } }
    let deliveries = transport.begin(claimed.map { $0.message(of: owner) })
    return {
      let deliveries = deliveries()
      guard deliveries.count != claimed.count else { return deliveries }
      return claimed.map { _ in .uncertain("the transport told of \(deliveries.count) pushes") }
    }
  }
}
