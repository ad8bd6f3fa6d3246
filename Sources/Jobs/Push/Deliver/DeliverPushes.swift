package import Config
public import JobKit
import LocalTime
import Postgres
public import Push

extension JobDefinition {
  /// A push belongs to a minute, so this looks every minute.
  static let deliverPushes = JobDefinition(
    name: "deliver_pushes",
    purpose: "hands planned pushes to the transport in their minute",
    schedule: .cron("* * * * *"), policies: deliverPushesPolicies, parts: 2, needs: .ofDelivery)

  private static var deliverPushesPolicies: Policies {
    var policies = Policies()
    // The next minute's run does whatever this one did not, and judges it by then.
    policies.startWithin = .seconds(120)
    policies.retry = Retry(tries: 3, first: .seconds(5), longest: .seconds(20))
    policies.priority = 10
    // A minute of a million learners is a few thousand pushes, and some hundred thousand after an outage.
    policies.bounds.most = 500_000
    policies.mayBackfill = false
    return policies
  }
}

/// Hands planned pushes over in their minute, none of them twice, whatever is killed when.
///
/// Each window of pushes is claimed in one chunk, handed to the transport when that is committed, and what
/// became of them is written in a later one. Who dies in between leaves pushes that count as sent.
public struct DeliverPushes: Job {
  public let definition: JobDefinition = .deliverPushes

  let transport: any PushTransport
  private let messages: MessageCatalogue
  let rules: DeliveryRules
  let unwritten: UnwrittenReports

  /// What measures how long a claim is old: a process that was frozen in between is told by it.
  let stopwatch: @Sendable () -> ContinuousClock.Instant

  public init(
    through transport: any PushTransport, saying messages: MessageCatalogue,
    rules: DeliveryRules = DeliveryRules(), keeping unwritten: UnwrittenReports = .init()
  ) {
    self.init(
      through: transport, saying: messages, rules: rules, keeping: unwritten,
      stopwatch: { ContinuousClock.now })
  }

  init(
    through transport: any PushTransport, saying messages: MessageCatalogue,
    rules: DeliveryRules = DeliveryRules(), keeping unwritten: UnwrittenReports = .init(),
    stopwatch: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.transport = transport
    self.messages = messages
    self.rules = rules
    self.unwritten = unwritten
    self.stopwatch = stopwatch
  }

  public var hasExternalEffects: Bool { !transport.staysInProcess }

  public func plan(_ context: borrowing JobContext) throws -> Int? {
    try context.query(
      """
      SELECT count(*) FROM learning.notifications
      WHERE state = 'planned' AND \(PushClaim.areOpen) AND due_at <= \(context.scheduledFor)
        AND window_to > \(context.scheduledFor) AND \(context.shareOfAllParts(of: "user_id"))
      """
    ).only[0]
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    try settleLostOnes(&context)
    attend(context)
    var failing = FailingProviders()
    var inHand = PushesInHand(most: context.isDryRun ? 1 : windows)
    do {
      let locked = try deliver(all: &inHand, sparing: &failing, &context)
      forgetPart(PushOwner(context.fence))
      return Self.outcome(of: context, failing: failing, locked: locked)
    } catch {
      while let report = inHand.next(sparing: &failing) { writeAlone(report, &context) }
      forgetPart(PushOwner(context.fence))
      throw error
    }
  }
}

extension DeliverPushes {
  /// Writes what became of pushes while the database was away, and of those whose owner is gone.
  private func settleLostOnes(_ context: inout JobContext) throws {
    let reports = unwritten.take(by: context.part)
    let (share, moment) = (context.share(of: "user_id"), context.scheduledFor)
    do {
      try context.inChunks { connection, progress in
        for report in reports {
          progress.counters.add(try report.write(on: connection))
        }
        progress.counters.add(try settleRemembered(share, before: moment, on: connection))
        progress.counters.add(try Self.giveUp(share, before: moment, on: connection))
        return .finished
      }
    } catch {
      for report in reports { unwritten.keep(report) }
      throw error
    }
    forget(reports)
  }

  /// Claims and sends one window after another until there is none; returns how many others have locked.
  ///
  /// As many windows as its transport takes are on their way before it waits for the first.
  private func deliver(
    all inHand: inout PushesInHand, sparing failing: inout FailingProviders,
    _ context: inout JobContext
  ) throws -> Int {
    var begun: Instant?
    var report: DeliveryReport?
    while true {
      if inHand.isFull { report = inHand.next(sparing: &failing) }
      let window = try nextWindow(
        since: begun, besides: inHand, writing: report, &context)
      report = nil
      if window.claim.looked > 0 {
        begun = begun ?? window.claim.claimedAt
        inHand.add(decision(window, sparing: failing, context))
      } else if inHand.isEmpty {
        return window.claim.passedOver
      } else {
        report = inHand.next(sparing: &failing)
      }
    }
  }

  /// Into how many windows it divides what it may have in its hands.
  private var windows: Int { max(min(transport.windows, rules.window), 1) }

  /// The next window; when only such are left as others have locked, one of these.
  ///
  /// It may be the last minute in which they can leave, and whoever plans, or has lost this part, has them
  /// locked for moments.
  private func nextWindow(
    since begun: Instant?, besides inHand: PushesInHand, writing report: DeliveryReport?,
    _ context: inout JobContext
  ) throws -> Window {
    let window = try claim(since: begun, besides: inHand, writing: report, &context)
    guard window.claim.looked == 0, window.claim.passedOver > 0, inHand.isEmpty else {
      return window
    }
    do {
      return try claim(
        since: begun, besides: inHand, awaitingOthers: true, writing: nil, &context)
    } catch let error as PostgresError where error.isLockTimeout {
      // One that stays locked keeps back none of which others have let go meanwhile.
      return try claim(since: begun, besides: inHand, writing: nil, &context)
    }
  }

  /// Writes down what became of a window before and claims the next one, in one chunk.
  ///
  /// So no more than may be in hand is ever being sent, and each window costs one commit that waits for the disk.
  private func claim(
    since begun: Instant?, besides inHand: PushesInHand, awaitingOthers: Bool = false,
    writing report: DeliveryReport?, _ context: inout JobContext
  ) throws -> Window {
    let (clock, moment, since) = (context.clock, context.scheduledFor, stopwatch())
    var terms = terms(since: begun, context)
    terms.awaitsOthers = awaitingOthers
    (terms.windows, terms.underWay) = (windows, inHand.learners)
    let settings = PushClaim.settings(leaving: !transport.staysInProcess)
    var claim = PushClaim(at: moment)
    do {
      try context.inChunks { connection, progress in
        try connection.run(settings.keepingPlan)
        try report?.write(into: &progress, on: connection)
        let now = max(try clock.now(on: connection), moment)
        claim = try PushClaim.make(by: terms, at: now, on: connection)
        claim.count(in: &progress)
        return .finished
      }
    } catch {
      // Nobody may know whether it was committed, but none of what was claimed has left.
      unwritten.keep(claim.untried(by: terms.owner))
      writeAlone(report, &context)
      throw error
    }
    // At once: the next claim may fail, and nobody would know any more that this is written.
    forget(report)
    return (claim, since)
  }

  private func terms(since begun: Instant?, _ context: borrowing JobContext) -> PushClaim.Terms {
    PushClaim.Terms(
      owner: PushOwner(context.fence), share: context.share(of: "user_id"),
      moment: context.scheduledFor, rules: rules, messages: messages, zones: context.zones,
      isDryRun: context.isDryRun, begun: begun)
  }

  /// Writes down a report that the next claim could not take along, or keeps it for when that can be done.
  ///
  /// Who has lost the part to another keeps what was certainly not sent, which that one may have written off; what left
  /// counts as sent.
  private func writeAlone(_ report: DeliveryReport?, _ context: inout JobContext) {
    guard let report, !report.isEmpty else { return }
    do {
      try context.writeDown { connection, progress in
        try report.write(into: &progress, on: connection)
      }
      forget(report)
    } catch is PostgresError {
      unwritten.keep(report)
    } catch {
      // First the part: without it the journal says of none of its pushes that it never left.
      transport.journal?.forget(report.owner.claim)
      forget(report)
      unwritten.keep(report.unsent)
    }
  }

  private static func outcome(
    of context: borrowing JobContext, failing: FailingProviders, locked: Int
  ) -> Outcome {
    let sent = context.progress.counters["sent"]
    let names = failing.names.joined(separator: " and ")
    let wait = names.isEmpty ? "" : "; \(names) took none of a window, so what is left waits"
    let rest = locked == 0 ? "" : "; left to the next run, still locked by others: \(locked)"
    let verb = context.isDryRun ? "would send" : "sent"
    return Outcome("\(verb) \(sent.counted("push", "pushes"))\(wait)\(rest)")
  }
}

extension DeliverPushes: LearningJob {
  package static var settings: [AnyRule] {
    PushPlaces.settings + DeliveryRules.settings + ProviderRules.settings
  }

  package init(_ book: RuleBook, _ services: LearningServices) {
    self.init(
      through: services[(any PushTransport).self] ?? NoTransport(),
      saying: services[MessageCatalogue.self] ?? .builtIn, rules: DeliveryRules(book),
      keeping: services[UnwrittenReports.self] ?? UnwrittenReports())
  }
}
