internal import LocalTime

/// When a line of a crontab runs, as the settings write it.
struct CrontabSchedule: Equatable {
  let cron: Cron

  /// What cron does otherwise at a change of the clocks; nothing where it does the same.
  let clockRemark: String?

  /// What else may surprise.
  let remarks: [String]

  /// Why a schedule is refused, and in which of its fields.
  struct Refused: Error, Equatable {
    let field: Int
    let reason: String
  }

  /// Reads a nickname, or the five fields of a line.
  init(_ fields: [String]) throws(Refused) {
    var remarks: [String] = []
    do throws(CronError) {
      cron = try Cron(Self.sayingDays(fields).joined(separator: " "))
    } catch {
      guard case .ambiguousDays(let day, let weekday) = error, fields.count == 5 else {
        throw Refused(error)
      }
      guard !day.hasPrefix("*"), !weekday.hasPrefix("*") else {
        throw Refused(
          field: 2,
          reason:
            "day '\(day)' with weekday '\(weekday)' means days that match both to cron, since one"
            + " begins with '*', and no schedule says that here: let the program look at the day")
      }
      // One of them names all days, and cron runs on a day that either names.
      do throws(CronError) {
        cron = try Cron("\(fields[0]) \(fields[1]) * \(fields[3]) *")
      } catch { throw Refused(error) }
      remarks = [
        "day '\(day)' with weekday '\(weekday)' is every day: a day that matches either counts"
      ]
    }
    self.remarks = remarks + cron.remarks
    clockRemark = Self.clockRemark(fields, cron)
  }

  /// A step of one is every day, and no rule for days.
  private static func sayingDays(_ fields: [String]) -> [String] {
    guard fields.count == 5 else { return fields }
    var fields = fields
    for index in [2, 4] where fields[index] == "*/1" { fields[index] = "*" }
    return fields
  }

  /// cron takes a line for a rhythm when its minute or hour begins with a star, and any other for times on the wall.
  private static func clockRemark(_ fields: [String], _ cron: Cron) -> String? {
    guard fields.count == 5 else { return nil }
    let isRhythm = fields[0].hasPrefix("*") || fields[1].hasPrefix("*")
    guard isRhythm == cron.coversAllHours else {
      return isRhythm
        ? "where clocks change, cron leaves out the times that are skipped and runs twice those that come twice:"
          + " here each runs once, unless 'dst' says otherwise"
        : "where clocks change, cron runs what is skipped later, and nothing twice: here all hours are a rhythm"
          + " in real time"
    }
    return nil
  }
}

extension CrontabSchedule.Refused {
  fileprivate init(_ error: CronError) {
    self.init(field: error.field, reason: "\(error)")
  }
}

extension CronError {
  /// The place of the field among the five that it is about; the first where it is about all.
  fileprivate var field: Int {
    switch self {
    case .unreadable(_, let field), .outOfRange(_, let field), .badStep(_, let field),
      .stepWithoutRange(_, let field, _), .backwards(_, let field, _),
      .notOffered(_, let field, _), .starInList(_, let field):
      (CronField.allCases.firstIndex(of: field) ?? 1) - 1
    case .ambiguousDays, .neverComes: 2
    default: 0
    }
  }
}
