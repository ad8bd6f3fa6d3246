/// What an answer means: for the push, and for what is sent after it.
public struct Verdict: Sendable, Equatable {
  public var delivery: Delivery
  public var health: Health
  public var rate: Rate
  public var token: Token
  public var connections: Connections

  public init(
    delivery: Delivery, health: Health = .good, rate: Rate = .keep,
    token: Token = .keep, connections: Connections = .keep
  ) {
    self.delivery = delivery
    self.health = health
    self.rate = rate
    self.token = token
    self.connections = connections
  }

  /// What it says of the provider.
  public enum Health: Sendable, Equatable {
    /// It works, whatever it thinks of this device.
    case good

    /// It took a push not that it ought to take: many of them open the breaker.
    case failing

    /// Nobody knows what it means: twenty of them open the breaker.
    case unknown

    /// There was no answer, so it says nothing.
    case silent

    /// It will take no push until somebody changes something: the breaker opens at once.
    case closed(String)
  }

  /// What becomes of the rate at which pushes leave.
  public enum Rate: Sendable, Equatable {
    case keep
    case halve
  }

  /// What becomes of the token that it was sent with.
  public enum Token: Sendable, Equatable {
    case keep

    /// It is taken no more.
    case renew

    /// No other is to be minted for a while.
    case freeze
  }

  /// What becomes of the connections to the provider.
  public enum Connections: Sendable, Equatable {
    case keep

    /// They end with their answers, and others are made for what comes next.
    case renew
  }
}

extension Verdict {
  /// Nobody knows what the answer means, so the push is not sent again.
  static func unknown(_ what: String) -> Verdict {
    Verdict(delivery: .rejected("unknown answer: \(what)"), health: .unknown)
  }

  /// There was no answer to a push that left.
  public static func lost(_ reason: String) -> Verdict {
    Verdict(delivery: .uncertain(reason), health: .silent)
  }

  /// Something has to be changed before the provider takes any push.
  static func closed(_ reason: String, connections: Connections = .keep) -> Verdict {
    Verdict(
      delivery: .notSent(reason), health: .closed(reason), connections: connections)
  }
}
