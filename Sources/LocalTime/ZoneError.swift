/// Why a zone, or all zone data, cannot be had.
public enum ZoneError: Error, Equatable {
  case missingRoot(String)
  case emptyRoot(String)
  case unknown(String, suggestion: String?)
  case unreadable(String, root: String, reason: String)
  case damaged(String, root: String, ZoneFileError)
}

extension ZoneError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingRoot(let path):
      "no zone data: there is no folder '\(path)':"
        + " install the package tzdata or name the folder that has it"
    case .emptyRoot(let path):
      "no zone data: the folder '\(path)' has no zone files:"
        + " install the package tzdata or name the folder that has them"
    case .unknown(let name, let suggestion?):
      "unknown zone '\(name)': did you mean '\(suggestion)'?"
    case .unknown(let name, nil):
      "unknown zone '\(name)': write a name such as 'America/New_York'"
    case .unreadable(let name, let root, let reason):
      "cannot read zone '\(name)' in '\(root)': \(reason): install the package tzdata again"
    case .damaged(let name, let root, let error):
      "cannot use the file of zone '\(name)' in '\(root)': \(error)"
    }
  }
}
