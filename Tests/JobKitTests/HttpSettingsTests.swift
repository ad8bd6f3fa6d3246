import Config
@testable import JobKit
@testable import Settings

import Testing

@Suite("The settings of HTTP")
struct HttpSettingsTests {
  @Test func `by default nobody is answered`() throws {
    let http = try SampleSettings.load("").settings.http

    #expect(http.listen == nil)
    #expect(http.connections == 64 && http.timeout == .seconds(5) && http.mostBytes == 8192)
  }

  @Test(arguments: [
    ("127.0.0.1:9464", HttpAddress.ipv4(port: 9464)), ("[::1]:1", .ipv6(port: 1)),
    ("unix:/run/worker/http.sock", .unix("/run/worker/http.sock")),
  ])
  func `an address of this machine alone is listened on`(
    text: String, address: HttpAddress
  ) throws {
    let http = try SampleSettings.load("[http]\nlisten = \"\(text)\"").settings.http

    #expect(http.listen == address)
    #expect(http.listen?.description == text)
  }

  @Test(arguments: [
    "0.0.0.0:9464", "[::]:9464", "10.0.0.1:9464", "localhost:9464", ":9464", "9464", "127.0.0.1",
    "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+80", "[::1]", "unix:run/http.sock", "unix:",
    "unix:/" + String(repeating: "a", count: 107),
  ])
  func `every other address is refused`(text: String) throws {
    let problems = try SampleSettings.problems(in: "[http]\nlisten = \"\(text)\"")

    #expect(
      problems == [
        "2:10: 'http.listen' is \(text.inQuotes): write an address that only this machine can reach, such as"
          + " \"127.0.0.1:9464\", \"[::1]:9464\" or \"unix:/run/worker/http.sock\", or \"\" for none"
      ])
  }

  @Test(arguments: [
    (
      "connections = 1",
      "2:15: 'http.connections' is 1: write a whole number from 2 to 1000, such as 64"
    ),
    (
      "timeout = \"2m\"",
      "2:11: 'http.timeout' is '2m': write a duration from 1s to 1m, such as \"5s\""
    ),
    (
      "most_bytes = 100",
      "2:14: 'http.most_bytes' is 100: write a whole number from 1024 to 65536, such as 8192"
    ),
    (
      "port = 80",
      "2:1: unknown setting 'http.port': write http.listen, http.connections, http.timeout or"
        + " http.most_bytes"
    ),
  ])
  func `a bound that is none is refused with what is`(text: String, said: String) throws {
    #expect(try SampleSettings.problems(in: "[http]\n\(text)") == [said])
  }
}
