/// Why the bytes of a zone file cannot be used.
public enum ZoneFileError: Error, Equatable {
  case notAZoneFile
  case oldVersion
  case leapSeconds
  case truncated(size: Int, expected: Int)
  case inconsistent(String)
}

extension ZoneFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAZoneFile:
      "it is no TZif file"
    case .oldVersion:
      "it is TZif version 1, which ends in 2037: build the zone data with a zic of 2014 or later"
    case .leapSeconds:
      "it counts leap seconds, as files under 'right' do: use the files without them"
    case .truncated(let size, let expected):
      "it ends after \(size) bytes where at least \(expected) are announced"
    case .inconsistent(let fact):
      "it contradicts itself: \(fact)"
    }
  }
}
