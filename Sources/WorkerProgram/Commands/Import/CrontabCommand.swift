/// What a line of a crontab runs.
struct CrontabCommand: Equatable {
  /// What the shell reads.
  let script: String

  /// What it reads from standard input: what stood behind the first percent sign.
  let input: String?

  /// Reads the end of a line, in which `%` begins standard input, and then each line of it, unless `\` is before it.
  init(_ text: String) {
    let pieces = Self.pieces(of: text)
    script = pieces.first ?? ""
    input = pieces.count > 1 ? pieces.dropFirst().joined(separator: "\n") : nil
  }

  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in text {
      if character == "%", piece.hasSuffix("\\") {
        piece.removeLast()
        piece.append("%")
      } else if character == "%" {
        pieces.append(piece)
        piece = ""
      } else {
        piece.append(character)
      }
    }
    return pieces + [piece]
  }

  /// The words of `command` in the settings; a shell reads those that are more than words.
  func words(shell: String) -> [String] {
    (plainWords ?? [shell, "-c", scriptWithInput]).map { word in
      // A word that begins with a colon would stand for something.
      word.hasPrefix(":") && word.count > 1 ? ":" + word : word
    }
  }

  /// Whether a shell is needed.
  var needsShell: Bool { plainWords == nil }

  private var scriptWithInput: String {
    guard let input else { return script }
    var mark = "END"
    while input.split(separator: "\n").contains(Substring(mark)) { mark += "_" }
    return "{ \(script)\n} <<'\(mark)'\n\(input)\n\(mark)\n"
  }

  /// Its words, where it is a program by its absolute path, and no shell would make anything else of them.
  private var plainWords: [String]? {
    guard input == nil, script.hasPrefix("/") else { return nil }
    var splitter = PlainWords()
    for character in script {
      guard splitter.take(character) else { return nil }
    }
    return splitter.end()
  }
}

/// Splits a command into its words, as long as a shell would do nothing else.
private struct PlainWords {
  private var words: [String] = []
  private var word: String?
  private var quote: Character?

  /// Takes the next character; whether it says the same to a shell.
  mutating func take(_ character: Character) -> Bool {
    if let open = quote {
      if character == open { quote = nil } else { add(character) }
      return open == "'" || !"$`\\".contains(character)
    }
    switch character {
    case "'", "\"": (quote, word) = (character, word ?? "")
    case " ", "\t": endWord()
    default:
      add(character)
      return character.isASCII
        && (character.isLetter || character.isNumber || "/-_.:=,+@%".contains(character))
    }
    return true
  }

  /// The words; nothing where a quote has no end.
  mutating func end() -> [String]? {
    endWord()
    return quote == nil ? words : nil
  }

  private mutating func add(_ character: Character) { word = (word ?? "") + String(character) }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }
}

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
