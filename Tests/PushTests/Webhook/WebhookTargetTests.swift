import Push
import Testing
import Web

@Suite("Where a webhook may be")
struct WebhookTargetTests {
  private func delivery(
    _ url: String, _ addresses: [String]? = nil, within limits: WebhookLimits = WebhookLimits()
  ) -> Delivery? {
    do throws(Unsendable) {
      let target = try WebhookTarget(PushToken(url), within: limits)
      if let addresses { try target.check(addresses.compactMap { NetworkAddress($0) }) }
      return nil
    } catch {
      return error.delivery
    }
  }

  @Test(arguments: [
    ("https://example.org/push?a=b", "example.org"), ("https://EXAMPLE.org", "example.org"),
    ("HTTPS://a-b.example.org:443/", "a-b.example.org"),
    ("https://[2606:4700::1]/", "2606:4700::1"),
    ("https://1.1.1.1/", "1.1.1.1"), ("https://example.org?next=http://x@y", "example.org"),
  ])
  func `a URL by https has a host`(url: String, host: String) throws {
    let target = try WebhookTarget(PushToken(url), within: WebhookLimits())

    #expect(target.host == host)
    #expect(target.port == 443)
  }

  @Test(arguments: [
    "http://example.org", "ftp://example.org", "example.org", "", "https://", "https:///push",
    "https://user@example.org", "https://user:pass@example.org",
    "https://example.org:443@evil.example",
    "https://example.org\\@evil.example", "https://example.org#@evil", "https://exa mple.org",
    "https://example.org\r\nHost: evil", "https://.example.org", "https://a..b",
    "https://ex%41mple.org",
    "https://[::1", "https://[1.2.3.4]", "https://example.org:0", "https://example.org:65536",
    "https://example.org:0443", "https://example.org:", "https://bücher.example",
    "https://example.org/" + String(repeating: "x", count: 2048),
  ])
  func `a URL that is none, or that two could read differently, is refused for good`(url: String) {
    #expect(delivery(url) == .refused("its address is no URL that begins with https://"))
  }

  @Test func `only ports that are allowed are asked`() {
    #expect(
      delivery("https://example.org:8443/")
        == .rejected("its address has the port 8443, which is not allowed"))
    #expect(delivery("https://example.org:8443/", within: WebhookLimits(ports: [8443])) == nil)
  }

  @Test(arguments: [
    (["127.0.0.1"], "this host"), (["10.0.0.7"], "a private address"),
    (["169.254.169.254"], "a link-local address"), (["1.1.1.1", "10.0.0.7"], "a private address"),
    (["::ffff:10.0.0.7"], "an IPv4 address as IPv6"),
  ])
  func `a name that leads into our own network is refused, by whichever of its addresses`(
    addresses: [String], what: String
  ) {
    #expect(
      delivery("https://example.org/", addresses) == .rejected("its address leads to \(what)"))
  }

  @Test func `a name of the internet is taken, and one without an address is tried again`() {
    #expect(delivery("https://example.org/", ["1.1.1.1", "2606:4700::1"]) == nil)
    #expect(
      delivery("https://example.org/", []) == .notSent("its host's name has no address now"))
  }

  @Test func `a network of our own is reached when the operator says so`() throws {
    let limits = WebhookLimits(networks: [try #require(Network("10.0.0.0/24"))])

    #expect(delivery("https://example.org/", ["10.0.0.7"], within: limits) == nil)
    #expect(
      delivery("https://example.org/", ["10.0.1.7"], within: limits)
        == .rejected("its address leads to a private address"))
  }
}
