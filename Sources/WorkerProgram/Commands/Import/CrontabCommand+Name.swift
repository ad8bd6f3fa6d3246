extension CrontabCommand {
  /// What a job of it may be called, as no other is: the program's name, without its folder and its ending.
  func name(besides taken: Set<String>) -> String {
    let base = Self.name(of: program)
    var (name, number) = (base, 1)
    while taken.contains(name) {
      number += 1
      name = "\(base)_\(number)"
    }
    return name
  }

  /// The word that tells most of what is run.
  private var program: Substring {
    var isFolder = false
    for word in script.split(whereSeparator: { " \t;&|()<>\"'`".contains($0) }) {
      let tellsNothing =
        isFolder || word.hasPrefix("-") || word.contains("=") || word.allSatisfy(\.isNumber)
        || Self.wrappers.contains(String(word.split(separator: "/").last ?? word))
      isFolder = word == "cd"
      if !tellsNothing { return word }
    }
    return "job"
  }

  private static let wrappers: Set = [
    "!", "[", "]", "bash", "cd", "chronic", "command", "dash", "env", "exec", "flock", "if",
    "ionice",
    "nice", "nohup", "setsid", "sh", "sleep", "sudo", "test", "then", "timeout", "{", "}",
  ]

  private static func name(of program: Substring) -> String {
    let file = program.split(separator: "/").last ?? program
    let dot = file.lastIndex(of: ".") ?? file.endIndex
    let stem = dot == file.startIndex ? file : file[..<dot]
    let words = stem.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "_")
    guard let first = name.first, name.utf8.count <= longest else { return "job" }
    return first.isLetter ? name : "job_\(name)"
  }

  /// With a number behind it the name is still one of a job.
  private static let longest = 50
}
