extension Zone {
  /// The zone that the bytes of a TZif file describe.
  public init(name: String, file bytes: [UInt8]) throws(ZoneFileError) {
    self.init(name: name, rules: try ZoneFile(bytes).rules())
  }
}
