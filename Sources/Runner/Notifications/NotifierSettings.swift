public import Ledger
public import LocalTime

/// What a daemon tells people, on which ways, and whom it calls while all is well.
public struct NotifierSettings: Sendable {
  public var watch: NoticeWatch
  public var channels: [any Channel] = []

  /// Calls whoever expects to be called, and throws why that went wrong.
  public var ping: (@Sendable () throws(DeliveryError) -> Void)?
  public var pingEvery = Duration.seconds(60)

  /// When a job runs next, after an instant.
  public var next: @Sendable (_ job: String, _ now: Instant) -> Instant? = { _, _ in nil }

  public init(watch: NoticeWatch) {
    self.watch = watch
  }
}
