import TestSupport
import Testing

/// A host whose libraries have none of the functions that the program looks for.
@Suite("Without the libraries that pushes need")
struct MissingLibraryTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func worker(_ words: String..., without library: String) throws -> Program {
    try ChildProcess.run(
      "/usr/bin/cc",
      ["-shared", "-o", "\(folder.path)/\(library)", "-x", "c", "/dev/null"])
    try ChildProcess.run(
      "/usr/bin/openssl",
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        + ["-out", "\(folder.path)/push_apns_key"])
    try ChildProcess.run("/bin/chmod", ["600", "\(folder.path)/push_apns_key"])
    let file = try folder.write(
      """
      [push]
      transport = "providers"
      [push.apns]
      enabled = true
      team = "TEAM123456"
      key_id = "KEY1234567"
      topic = "org.example.learning"
      key_file = "\(folder.path)/push_apns_key"
      """, to: "worker.toml", mode: 0o644)
    return try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo,
        "LD_LIBRARY_PATH": folder.path,
      ])
  }

  @Test(arguments: ["libnghttp2.so.14", "libcrypto.so.3"])
  func `the program starts`(library: String) throws {
    let version = try worker("version", without: library)

    #expect(version.exitCode == 0 && version.output.hasPrefix("worker "))
  }

  @Test func `without nghttp2 it says which package to install, and sends no push`() throws {
    let doctor = try worker("doctor", "--only", "push", without: "libnghttp2.so.14")
    let push = try worker("push", "test", "--device", "a1b2", without: "libnghttp2.so.14")

    #expect(doctor.output.contains("nghttp2 is missing: install the package libnghttp2-14"))
    #expect(push.output.contains("not sent: nghttp2 is missing: install the package libnghttp2-14"))
    #expect(push.exitCode == 1)
  }

  @Test func `without OpenSSL it says which package to install, and does not start to send`() throws
  {
    let check = try worker("check", without: "libcrypto.so.3")

    #expect(check.errors.contains("libssl3"), "\(check.errors)")
    #expect(check.exitCode == 78)
  }

  @Test func `the package names what it needs`() throws {
    let control = try TextFile.read("deploy/debian/control")
    let depends = control.split(separator: "\n").first { $0.hasPrefix("Depends:") } ?? ""

    for package in ["libcurl4", "libnghttp2-14", "libssl3"] {
      #expect(depends.contains(package))
    }
    #expect(control.contains("ca-certificates"))
  }
}
