import Push
import Testing
import Web

@Suite("Addresses that a webhook may have")
struct NetworkAddressTests {
  @Test(arguments: [
    ("0.0.0.0", "this host"), ("10.1.2.3", "a private address"),
    ("100.64.0.1", "a carrier's inner address"), ("100.127.255.255", "a carrier's inner address"),
    ("127.0.0.1", "this host"), ("127.255.0.1", "this host"),
    ("169.254.169.254", "a link-local address"), ("172.16.0.1", "a private address"),
    ("172.31.255.255", "a private address"), ("192.168.1.1", "a private address"),
    ("192.0.2.1", "an address of examples"), ("198.18.0.1", "an address of benchmarks"),
    ("224.0.0.1", "an address of many"), ("255.255.255.255", "a reserved address"),
    ("::", "this host"), ("::1", "this host"), ("::ffff:127.0.0.1", "an IPv4 address as IPv6"),
    ("::ffff:8.8.8.8", "an IPv4 address as IPv6"), ("::7f00:1", "an IPv4 address as IPv6"),
    ("64:ff9b::7f00:1", "an IPv4 address behind NAT64"),
    ("64:ff9b::8.8.8.8", "an IPv4 address behind NAT64"),
    ("64:ff9b:1::1", "an IPv4 address behind NAT64"), ("2002:7f00:1::", "an IPv4 address as IPv6"),
    ("2001::1", "a reserved address"), ("2001:db8::1", "an address of examples"),
    ("fc00::1", "a private address"), ("fd12:3456::1", "a private address"),
    ("fe80::1", "a link-local address"), ("febf::1", "a link-local address"),
    ("ff02::1", "an address of many"), ("4000::1", "an address that nobody has"),
    ("::2:0:0:1", "an address that nobody has"),
  ])
  func `an address of our own network, or of nobody, is refused by what it is for`(
    text: String, what: String
  ) throws {
    #expect(try #require(NetworkAddress(text)).objection == what)
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0",
    "192.167.255.255", "192.169.0.0", "223.255.255.255", "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200a", "2001:200::1", "2003::1",
  ])
  func `an address of the internet is taken`(text: String) throws {
    #expect(try #require(NetworkAddress(text)).objection == nil)
  }

  @Test(arguments: [
    "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.4 ", "0x7f.0.0.1", "1..2.3", ":",
    ":::",
    "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1.2.3",
    "1:2:3:4:5:6:7::8",
    "fe80::1%eth0", "+1.2.3.4", "::+1",
  ])
  func `what is no address is none`(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test(arguments: [
    ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
    ("10.0.0.1", "10.0.0.1"), ("0:0:0:0:0:0:0:0", "::"), ("1:0:0:0:0:0:0:0", "1::"),
    ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
    ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("::ffff:10.0.0.1", "::ffff:a00:1"),
  ])
  func `an address is written as short as it can be`(text: String, written: String) throws {
    let address = try #require(NetworkAddress(text))

    #expect(address.description == written)
    #expect(NetworkAddress(written) == address)
  }

  @Test func `an IPv4 address within IPv6 is known, and no other is`() {
    #expect(NetworkAddress("::ffff:10.1.2.3")?.mapped == NetworkAddress("10.1.2.3"))
    #expect(Network("::ffff:10.0.0.0/104")?.mapped == Network("10.0.0.0/8"))
    #expect(NetworkAddress("::10.1.2.3")?.mapped == nil)
    #expect(NetworkAddress("10.1.2.3")?.mapped == nil)
    #expect(Network("::/0")?.mapped == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
    ("0.0.0.0/0", "8.8.8.8", true), ("10.1.2.3/32", "10.1.2.3", true), ("0.0.0.0/0", "::1", false),
    ("fd00::/8", "fdff::1", true), ("::1/128", "::1", true),
  ])
  func `a network holds all addresses that begin as it does`(
    network: String, address: String, holds: Bool
  ) throws {
    #expect(
      try #require(Network(network)).contains(#require(NetworkAddress(address))) == holds)
  }

  @Test(arguments: [
    "10.0.0.0", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10/8", "", "::/129",
  ])
  func `what is no network is none`(text: String) {
    #expect(Network(text) == nil)
  }
}
