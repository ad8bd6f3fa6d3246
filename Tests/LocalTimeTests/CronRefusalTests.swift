import LocalTime
import Testing

/// What is refused, in the words that say what to write.
struct CronRefusalTests {
  private func expectRefusal(of text: String, _ message: String) {
    let error = #expect(throws: CronError.self) { try Cron(text) }

    #expect(error?.description == message)
  }

  @Test(arguments: [
    (
      "",
      "'' has 0 fields: write five, minute hour day month weekday, such as '30 2 * * *',"
        + " or six with seconds first"
    ),
    (
      "every 0s",
      "'every 0s' is no cron expression: write every = '15m' in place of a schedule, or a rhythm"
        + " of the clock, such as '*/15 * * * *'"
    ),
    (
      "30",
      "'30' has 1 field: write five, minute hour day month weekday, such as"
        + " '30 2 * * *', or six with seconds first"
    ),
    (
      "30 2",
      "'30 2' has 2 fields: write five, minute hour day month weekday, such as"
        + " '30 2 * * *', or six with seconds first"
    ),
    (
      "0 0 0 1 1 * 2026",
      "'0 0 0 1 1 * 2026' has 7 fields: write five, minute hour day month"
        + " weekday, such as '30 2 * * *', or six with seconds first"
    ),
    ("@dayly", "unknown schedule '@dayly': did you mean '@daily'?"),
    (
      "@noon",
      "unknown schedule '@noon':"
        + " write one of @yearly, @monthly, @weekly, @daily or @hourly"
    ),
    (
      "@reboot",
      "'@reboot' has no meaning for a job that any of many daemons may run:"
        + " write a time, such as @hourly"
    ),
    (
      "@every 15m",
      "'@every 15m' is no cron expression: write every = '15m' in place of a"
        + " schedule, or a rhythm of the clock, such as '*/15 * * * *'"
    ),
  ])
  func `an expression of the wrong shape`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("75 * * * *", "'75' in the minute field is out of range: write 0 to 59"),
    ("60 * * * *", "'60' in the minute field is out of range: write 0 to 59"),
    ("60 0 0 * * *", "'60' in the second field is out of range: write 0 to 59"),
    ("0 24 * * *", "'24' in the hour field is out of range: write 0 to 23"),
    ("0 9-24 * * *", "'9-24' in the hour field is out of range: write 0 to 23"),
    ("0 0 0 * *", "'0' in the day field is out of range: write 1 to 31"),
    ("0 0 32 * *", "'32' in the day field is out of range: write 1 to 31"),
    ("0 0 1 13 *", "'13' in the month field is out of range: write 1 to 12"),
    ("0 0 * * 8", "'8' in the weekday field is out of range: write 0 to 7"),
    ("*/0 * * * *", "the step of '*/0' in the minute field is no step: write 1 to 59"),
    ("*/60 * * * *", "the step of '*/60' in the minute field is no step: write 1 to 59"),
    ("*/90 * * * *", "the step of '*/90' in the minute field is no step: write 1 to 59"),
    ("0 */24 * * *", "the step of '*/24' in the hour field is no step: write 1 to 23"),
    ("0 0 */31 * *", "the step of '*/31' in the day field is no step: write 1 to 30"),
    ("0 0 1 */12 *", "the step of '*/12' in the month field is no step: write 1 to 11"),
    ("0 0 * * */7", "the step of '*/7' in the weekday field is no step: write 1 to 6"),
  ])
  func `a number out of range`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("5/15 * * * *", "'5/15' in the minute field has a step but no range: write 5-59/15"),
    ("0 0 * * MON/2", "'MON/2' in the weekday field has a step but no range: write MON-6/2"),
    ("0 22-2 * * *", "'22-2' in the hour field runs backwards: write 22-23,0-2"),
    ("50-10 * * * *", "'50-10' in the minute field runs backwards: write 50-59,0-10"),
    ("0 23-0 * * *", "'23-0' in the hour field runs backwards: write 23,0"),
    ("0 0 1 11-2 *", "'11-2' in the month field runs backwards: write 11-12,1-2"),
    ("0 0 * * FRI-MON", "'FRI-MON' in the weekday field runs backwards: write FRI-SUN,MON"),
    ("0 0 * * 5-0", "'5-0' in the weekday field runs backwards: write FRI-SUN"),
    ("0 0 * * 7-2", "'7-2' in the weekday field runs backwards: write SUN-TUE"),
    (
      "*,5 * * * *",
      "'*,5' in the minute field lists more than everything:"
        + " write * alone, or only the values"
    ),
    (
      "0 0 */2 * 1",
      "day '*/2' with weekday '1' means both to some programs and either to"
        + " others: write out the days in one of them, or make one of them *"
    ),
    (
      "0 0 1-31 * 1",
      "day '1-31' with weekday '1' means both to some programs and either to"
        + " others: write out the days in one of them, or make one of them *"
    ),
    (
      "0 0 13 * 0-6",
      "day '13' with weekday '0-6' means both to some programs and either to"
        + " others: write out the days in one of them, or make one of them *"
    ),
    ("0 0 30 2 *", "day '30' never comes in month '2': write a day from 1 to 29"),
    ("0 0 31 APR,JUN *", "day '31' never comes in month 'APR,JUN': write a day from 1 to 30"),
  ])
  func `what programs read in different ways, or what never comes`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("? * * * *", "'?' in the minute field is not offered here: write *"),
    ("0 0 ? * 1", "'?' in the day field is not offered here: write *"),
    (
      "0 0 15W * *",
      "'15W' in the day field is not offered here:"
        + " write the day itself, or MON-FRI as the weekday"
    ),
    ("0 0 LW * *", "'LW' in the day field is not offered here: write L, or 5L as the weekday"),
    ("0 0 L-3 * *", "'L-3' in the day field is not offered here: write L, or the day itself"),
    (
      "0 0 * * L",
      "'L' in the weekday field is not offered here:"
        + " write SAT, or 6L for the last one of the month"
    ),
    (
      "H * * * *", "'H' in the minute field is not offered here: write the minute itself, such as 0"
    ),
    (
      "H/15 * * * *",
      "'H/15' in the minute field is not offered here: write the minute itself, such as 0"
    ),
    (
      "0 0~6 * * *",
      "'0~6' in the hour field is not offered here: write the hour itself, such as 0"
    ),
    ("+5 * * * *", "'+5' in the minute field is not offered here: write 5"),
    ("0 0 * * MONDAY", "'MONDAY' in the weekday field is not offered here: write MON"),
    ("0 0 1 April *", "'April' in the month field is not offered here: write APR"),
    ("0 0 1 March *", "'March' in the month field is not offered here: write MAR"),
    (
      "0 0 * * 5#6",
      "'5#6' in the weekday field is not offered here:"
        + " write the weekday and #1 to #5, such as MON#1"
    ),
  ])
  func `what other programs offer`(text: String, message: String) {
    expectRefusal(of: text, message)
  }

  @Test(arguments: [
    ("1.5 * * * *", "cannot read '1.5' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("٥ * * * *", "cannot read '٥' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("-5 * * * *", "cannot read '-5' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    (", * * * *", "cannot read '' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("1,,2 * * * *", "cannot read '' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("1-2-3 * * * *", "cannot read '1-2-3' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("*/2/3 * * * *", "cannot read '*/2/3' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("*/ * * * *", "cannot read '*/' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    ("x 0 0 * * *", "cannot read 'x' in the second field: write *, */15, 5, 5-20 or 5,35"),
    ("0 nine * * *", "cannot read 'nine' in the hour field: write *, */6, 5, 9-17 or 9,17"),
    ("0 0 MON * *", "cannot read 'MON' in the day field: write *, 1, 1-7, 1,15 or L"),
    ("0 0 1 JAM *", "cannot read 'JAM' in the month field: write *, */3, 5, 6-8 or JAN,JUL"),
    (
      "0 0 * * FIR",
      "cannot read 'FIR' in the weekday field:"
        + " write *, 1, MON-FRI, SAT,SUN, MON#1 or 5L"
    ),
    ("L * * * *", "cannot read 'L' in the minute field: write *, */15, 5, 5-20 or 5,35"),
    (
      "99999999999999999999 * * * *",
      "cannot read '99999999999999999999' in the minute field: write *, */15, 5, 5-20 or 5,35"
    ),
  ])
  func `what cannot be read at all`(text: String, message: String) {
    expectRefusal(of: text, message)
  }
}
