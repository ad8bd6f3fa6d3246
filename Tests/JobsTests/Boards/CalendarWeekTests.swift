import LocalTime
import Testing

@testable import Jobs

@Suite("Weeks of the calendar")
struct CalendarWeekTests {
  @Test(arguments: [
    ("2026-03-08", "2026-W10", "2026-03-02"), ("2026-03-09", "2026-W11", "2026-03-09"),
    ("2026-01-01", "2026-W01", "2025-12-29"), ("2025-12-28", "2025-W52", "2025-12-22"),
    ("2027-01-03", "2026-W53", "2026-12-28"), ("2027-01-04", "2027-W01", "2027-01-04"),
    ("2024-12-30", "2025-W01", "2024-12-30"), ("2023-01-01", "2022-W52", "2022-12-26"),
  ])
  func `a week begins on Monday, and its year is that of its Thursday`(
    date: String, name: String, monday: String
  ) throws {
    let week = CalendarWeek(containing: try CivilDate(date))

    #expect("\(week)" == name)
    #expect("\(week.monday)" == monday)
  }
}
