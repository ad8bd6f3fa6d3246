public import Config
public import JobKit
public import LocalTime
public import Postgres

/// A job that can say what a day will bring, by what is known now, and what it has brought so far.
public protocol Forecaster: Job {
  /// Counts what the job has decided, and would decide, for every learner's local day `day`, else for today's date
  /// in UTC.
  func forecast(
    on day: CivilDate?, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> Forecast
}

/// What a day brings: a sentence, and how many of each.
public struct Forecast: Sendable, Equatable {
  public let heading: String
  public let charts: [Chart]
  public let facts: JSON

  public init(heading: String, charts: [Chart], facts: JSON) {
    (self.heading, self.charts, self.facts) = (heading, charts, facts)
  }

  /// How many there are of each of some things.
  public struct Chart: Sendable, Equatable {
    public let title: String
    public let bars: [Bar]

    public init(_ title: String, bars: [Bar]) {
      (self.title, self.bars) = (title, bars)
    }

    /// Whether its bars tell what is past from what is to come.
    public var isOfTime: Bool { bars.contains { $0.share != nil } }
  }

  public struct Bar: Sendable, Equatable {
    public let label: String
    public let count: Int

    /// How much of it is past; nothing where the chart is not one of time.
    public let share: Share?

    /// Whether the hour that it stands for is over.
    public let isOver: Bool

    public init(_ label: String, _ count: Int) {
      (self.label, self.count, share, isOver) = (label, count, nil, false)
    }

    public init(_ label: String, _ share: Share, isOver: Bool = false) {
      (self.label, self.share, self.isOver) = (label, share, isOver)
      count = share.soFar + share.toCome + share.tooLate
    }
  }

  /// How many of some things are done, are still to be done, and will not be done because it is too late.
  public struct Share: Sendable, Equatable {
    public var soFar: Int
    public var toCome: Int
    public var tooLate: Int

    public init(soFar: Int = 0, toCome: Int = 0, tooLate: Int = 0) {
      (self.soFar, self.toCome, self.tooLate) = (soFar, toCome, tooLate)
    }
  }
}

/// A forecast was asked of a day that is over for too long.
public struct DayIsOver: Error, Equatable, CustomStringConvertible {
  let day: CivilDate

  /// The first day that a forecast can be of.
  let first: CivilDate

  public init(_ day: CivilDate, first: CivilDate) {
    (self.day, self.first) = (day, first)
  }

  public var description: String {
    "\(day) is over: a forecast is of \(first) or a later day; 'worker why' tells what became of the past"
  }
}
