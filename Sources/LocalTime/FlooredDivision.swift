extension Int {
  /// The quotient rounded down, so that moments before 1970 fall on the right day.
  func flooredDivision(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
