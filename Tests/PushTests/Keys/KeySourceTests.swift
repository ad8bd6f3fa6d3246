import Push
import TestSupport
import Testing

@Suite("Where a key is read from")
struct KeySourceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func refusal(_ source: KeySource) -> String? {
    do throws(KeyFileError) {
      _ = try source.read()
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [0o600, 0o400])
  func `a file that its owner alone may use is read`(mode: UInt32) throws {
    let path = try folder.write("the key", to: "key", mode: mode)

    #expect(try KeySource.file(path).read() == Secret("the key"))
  }

  @Test(arguments: [(0o644, "644"), (0o640, "640"), (0o604, "604"), (0o620, "620"), (0o700, "700")])
  func `a file that others may use is refused`(mode: UInt32, shown: String) throws {
    let path = try folder.write("the key", to: "key")
    try ChildProcess.run("/bin/chmod", [shown, path])

    #expect(
      refusal(.file(path))
        == "the key file '\(path)' has mode 0\(shown), so others than its owner may use it: "
        + "make it 0600, and make a new key where others could have read it")
  }

  @Test func `a credential is read from systemd's folder, whose user is shown as a group`() throws {
    let path = try folder.write("the key", to: "push_apns_key")
    try ChildProcess.run("/bin/chmod", ["440", path])
    let credential = KeySource.credential("push_apns_key", directory: folder.path)

    #expect(try credential.read() == Secret("the key"))
    try ChildProcess.run("/bin/chmod", ["444", path])
    #expect(refusal(credential)?.contains("has mode 0444") == true)
    #expect(
      refusal(.credential("../key", directory: folder.path))
        == "'../key' is no name of a credential: write it without a folder")
  }

  @Test func `what holds no key is refused at once, in a sentence`() throws {
    let pipe = "\(folder.path)/pipe"
    try ChildProcess.run("/usr/bin/mkfifo", ["-m", "600", pipe])
    let empty = try folder.write("", to: "empty")
    let long = try folder.write(String(repeating: "x", count: 65_537), to: "long")

    #expect(refusal(.file("\(folder.path)/none")) == "there is no key file '\(folder.path)/none'")
    #expect(refusal(.file(pipe)) == "the key file '\(pipe)' is no regular file: give a file")
    #expect(
      refusal(.file(folder.path)) == "the key file '\(folder.path)' is no regular file: give a file"
    )
    #expect(
      refusal(.file("/dev/null")) == "the key file '/dev/null' is no regular file: give a file")
    #expect(refusal(.file(empty)) == "the key file '\(empty)' is empty")
    #expect(
      refusal(.file(long))
        == "the key file '\(long)' has more than 65536 bytes, and no key is as long")
    #expect(
      refusal(.file(empty + "/key"))
        == "cannot read the key file '\(empty)/key': not a directory")
  }

  @Test func `no way of printing a secret shows any of it`() throws {
    let secret = Secret("the key")
    var dumped = ""
    dump(secret, to: &dumped)
    dump(try TestKeys.team(), to: &dumped)
    dump(BearerToken(text: "the key", generation: 1), to: &dumped)

    for text in ["\(secret)", String(reflecting: secret), dumped] {
      #expect(!text.contains("the key"))
      #expect(!text.contains("PRIVATE"))
    }
  }
}
