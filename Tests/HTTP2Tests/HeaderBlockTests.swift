import CNghttp2
import Testing

@testable import HTTP2

/// How a request becomes headers.
struct HeaderBlockTests {
  @Test func `what no other request has stays out of the compressor's table`() {
    let request = Request(
      id: 1, path: "/3/device/ab",
      headers: [HeaderField("apns-topic", "app"), HeaderField("apns-id", "7", isUnique: true)],
      body: [])

    let block = HeaderBlock(of: request, to: Origin(host: "api.example"))

    let text = String(decoding: block.text, as: UTF8.self)
    #expect(
      text
        == ":methodPOST:schemehttps:authorityapi.example:path/3/device/abapns-topicappapns-id7")
    #expect(block.fields.map(\.is_unique) == [0, 0, 0, 1, 0, 1])
    #expect(
      block.fields.reduce(0) { $0 + Int($1.name_length + $1.value_length) } == text.utf8.count)
  }

  @Test(arguments: [
    (Origin(host: "api.example"), "api.example"),
    (Origin(host: "api.example", port: 2197), "api.example:2197"),
    (Origin(host: "::1", port: 8443), "[::1]:8443"),
  ])
  func `the authority is the name, and the port when it is another`(
    origin: Origin, authority: String
  ) {
    #expect(origin.authority == authority)
  }
}
