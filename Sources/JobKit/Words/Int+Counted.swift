extension Int {
  /// So many of something: `1 tick`, `2 ticks`.
  public func counted(_ one: String, _ many: String? = nil) -> String {
    "\(self) \(self == 1 ? one : many ?? "\(one)s")"
  }
}
