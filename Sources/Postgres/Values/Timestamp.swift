/// An instant, counted in microseconds since 1 January 1970 UTC.
public struct Timestamp: Sendable, Hashable, Comparable {
  public var microsecondsSince1970: Int

  /// The instant that many microseconds after 1 January 1970 UTC.
  public init(microsecondsSince1970: Int) {
    self.microsecondsSince1970 = microsecondsSince1970
  }

  /// The instant that many seconds after 1 January 1970 UTC.
  public init(secondsSince1970: Int) {
    self.init(microsecondsSince1970: secondsSince1970 * 1_000_000)
  }

  public static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.microsecondsSince1970 < other.microsecondsSince1970
  }
}

extension Timestamp: CustomStringConvertible {
  /// The instant in UTC as in `2026-03-08T07:00:00Z`, with microseconds when it has any.
  public var description: String {
    let seconds = microsecondsSince1970.dividedDown(by: 1_000_000)
    let days = seconds.quotient.dividedDown(by: 86_400)
    let clock = [days.remainder / 3600, days.remainder / 60 % 60, days.remainder % 60]
    let fraction = seconds.remainder == 0 ? "" : "." + seconds.remainder.padded(to: 6)
    return "\(Day(daysSince1970: days.quotient))T"
      + clock.map { $0.padded(to: 2) }.joined(separator: ":") + fraction + "Z"
  }
}

extension Timestamp: PostgresValue {
  public static var postgresType: PostgresType { .timestamptz }

  /// The microseconds from 1970 to 2000, where Postgres begins to count.
  private static let epoch = 946_684_800_000_000

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let count = Int(try bytes.soleInteger(as: Int64.self))
    guard count != .max, count != .min else {
      throw .invalid("it holds '\(count == .max ? "infinity" : "-infinity")', which is no instant")
    }
    let (microseconds, overflow) = count.addingReportingOverflow(Self.epoch)
    guard !overflow else { throw .invalid("it is later than the year 294246") }
    self.init(microsecondsSince1970: microseconds)
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(bigEndian: try count)
  }

  public func writeSized(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(sized: UInt64(bitPattern: try count))
  }

  /// The microseconds since Postgres begins to count.
  private var count: Int64 {
    get throws(ValueProblem) {
      let (count, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epoch)
      // 4713 BC is the first year of Postgres.
      guard !overflow, count >= -211_813_488_000_000_000 else {
        throw .invalid("\(microsecondsSince1970) µs since 1970 is outside the times of Postgres")
      }
      return Int64(count)
    }
  }
}
