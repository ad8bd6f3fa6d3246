internal import Glibc

/// The file of a program.
enum ProgramFile {
  /// What keeps it from being run, in words that go on from its name; nothing where nothing does.
  static func fault(of path: String) -> String? {
    var facts = Glibc.stat()
    guard unsafe stat(path, &facts) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? "does not exist" : nil
    }
    guard facts.st_mode & S_IFMT == S_IFREG else { return "is no file" }
    return facts.st_mode & 0o111 == 0 ? "is not executable" : nil
  }
}
