/// Two digits, as dates and times have them.
func digits(_ value: Int) -> String {
  value < 10 ? "0\(value)" : "\(value)"
}

/// Four digits, or a sign and more of them for years that RFC 3339 cannot write.
func yearText(_ year: Int) -> String {
  guard !(1000...9999).contains(year) else { return "\(year)" }
  let padded = String(repeating: "0", count: max(0, 4 - "\(abs(year))".count)) + "\(abs(year))"
  return year < 0 ? "-\(padded)" : year > 9999 ? "+\(padded)" : padded
}

/// An offset from UTC as in -04:00 or Z, with seconds only when a zone's old rules have some.
func offsetText(_ offset: Int) -> String {
  guard offset != 0 else { return "Z" }
  let size = abs(offset)
  let seconds = size % 60 == 0 ? "" : ":\(digits(size % 60))"
  return (offset < 0 ? "-" : "+") + "\(digits(size / 3600)):\(digits(size / 60 % 60))\(seconds)"
}
