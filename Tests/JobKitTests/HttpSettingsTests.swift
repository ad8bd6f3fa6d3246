import Config
@testable import JobKit
@testable import Settings

import Testing
import Web

@Suite("The settings of HTTP")
struct HttpSettingsTests {
  @Test func `by default nobody is answered`() throws {
    let http = try SampleSettings.load("").settings.http

    #expect(http.listen == nil)
    #expect(http.connections == 64 && http.timeout == .seconds(5) && http.mostBytes == 8192)
  }

  @Test(arguments: [
    "127.0.0.1:9464", "127.0.0.2:9464", "[::1]:1", "unix:/run/worker/http.sock",
  ])
  func `an address of this machine alone is listened on`(text: String) throws {
    let http = try SampleSettings.load("[http]\nlisten = \"\(text)\"").settings.http

    #expect(http.listen?.description == text)
    #expect(http.listen?.isForOthers == false && http.listen?.fromHere == http.listen)
  }

  @Test(arguments: [
    ("0.0.0.0:9464", "127.0.0.1:9464"), ("[::]:9464", "[::1]:9464"),
    ("10.0.0.1:9464", "10.0.0.1:9464"), ("[fd00::7]:9464", "[fd00::7]:9464"),
  ])
  func `an address that others can reach is listened on once it is said who may ask`(
    text: String, fromHere: String
  ) throws {
    let listen = "[http]\nlisten = \"\(text)\"\n"

    let alone = try SampleSettings.problems(in: listen)
    let none = try SampleSettings.problems(in: listen + "allow = []")
    let http = try SampleSettings.load(listen + "allow = [\"10.0.0.0/8\"]").settings.http

    let problem =
      "2:10: 'http.listen' is '\(text)', which other machines can reach: write beside it who may ask,"
      + " such as allow = [\"10.0.0.0/8\"], or listen at \"127.0.0.1:9464\""
    #expect(alone == [problem] && none == [problem])
    #expect(http.listen?.description == text && http.listen?.isForOthers == true)
    #expect(http.listen?.fromHere.description == fromHere)
  }

  @Test(arguments: [
    "localhost:9464", ":9464", "9464", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536",
    "127.0.0.1:+80", "[::1]", "::1:9464", "[127.0.0.1]:9464", "[::ffff:10.0.0.1]:9464",
    "[fe80::1%eth0]:9464", "unix:run/http.sock", "unix:",
    "unix:/" + String(repeating: "a", count: 107),
  ])
  func `every other address is refused`(text: String) throws {
    let problems = try SampleSettings.problems(in: "[http]\nlisten = \"\(text)\"")

    #expect(
      problems == [
        "2:10: 'http.listen' is \(text.inQuotes): write an address such as \"127.0.0.1:9464\","
          + " \"[::1]:9464\" or \"unix:/run/worker/http.sock\", or \"\" for none"
      ])
  }

  @Test(arguments: [
    ("\"10.1.2.3/8\"", "'10.1.2.3/8'", "\"10.0.0.0/8\""),
    ("\"fd00::1/8\"", "'fd00::1/8'", "\"fd00::/8\""),
    ("\"10.1.2.3\"", "'10.1.2.3'", "\"10.1.2.3/32\""),
    ("\"::ffff:10.1.2.3/104\"", "'::ffff:10.1.2.3/104'", "\"10.0.0.0/8\""),
    ("\"10.0.0.0/33\"", "'10.0.0.0/33'", nil), ("\"10.0.0.0/08\"", "'10.0.0.0/08'", nil),
    ("\"pods\"", "'pods'", nil), ("8", "a whole number", nil),
  ])
  func `what is no network is refused with what was meant`(
    text: String, found: String, meant: String?
  ) throws {
    let problems = try SampleSettings.problems(
      in: "[http]\nallow = [\"10.0.0.0/8\", \(text)]\nlisten = \"0.0.0.0:9464\"")

    let wanted = meant ?? "networks in quotes, such as \"10.0.0.0/8\" or \"fd00::/8\""
    #expect(problems == ["2:24: 'http.allow' holds \(found): write \(wanted)"])
  }

  @Test(arguments: [
    ("10.9.8.7", true), ("::ffff:10.9.8.7", true), ("fd12::1", true), ("127.0.0.1", true),
    ("::1", true), ("::ffff:127.0.0.1", true), ("11.0.0.1", false), ("fe80::1", false),
    ("::10.9.8.7", false), ("127.0.0.2", false), ("0.0.0.0", false), ("::", false),
  ])
  func `who may ask is one of the networks, or this machine itself`(
    caller: String, mayAsk: Bool
  ) throws {
    let http = try SampleSettings.load("[http]\nallow = [\"10.0.0.0/8\", \"fd00::/8\"]").settings
      .http

    #expect(try http.allows(#require(NetworkAddress(caller))) == mayAsk)
    #expect(try HttpSettings().allows(#require(NetworkAddress(caller))))
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
      "2:1: unknown setting 'http.port': write http.listen, http.allow, http.connections, http.timeout"
        + " or http.most_bytes"
    ),
  ])
  func `a bound that is none is refused with what is`(text: String, said: String) throws {
    #expect(try SampleSettings.problems(in: "[http]\n\(text)") == [said])
  }
}
