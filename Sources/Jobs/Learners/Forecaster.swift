public import JobKit
public import LocalTime
public import Postgres

/// A job that can say what a day will bring, by what is known now.
public protocol Forecaster: Job {
  /// Counts what the job would decide for every learner's local day `day`, else for today's date in UTC.
  func forecast(
    on day: CivilDate?, at now: Instant, in zones: ZoneDatabase, _ connection: borrowing Connection
  ) throws -> Forecast
}

/// What a day will bring: a sentence, and how many of each.
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
  }

  public struct Bar: Sendable, Equatable {
    public let label: String
    public let count: Int

    public init(_ label: String, _ count: Int) {
      (self.label, self.count) = (label, count)
    }
  }
}

/// A forecast was asked of a day that is over.
public struct DayIsOver: Error, Equatable, CustomStringConvertible {
  let day: CivilDate
  let today: CivilDate

  public init(_ day: CivilDate, today: CivilDate) {
    (self.day, self.today) = (day, today)
  }

  public var description: String {
    "\(day) is over: a forecast is of \(today) or a later day; 'worker why' tells what became of the past"
  }
}
