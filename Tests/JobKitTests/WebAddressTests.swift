import JobKit
import Settings
import Testing

@Suite("Addresses of receivers")
struct WebAddressTests {
  @Test(arguments: [
    ("https://hooks.example.com/services/secret", "https://hooks.example.com/…"),
    ("https://user:secret@host:8443?key=secret", "https://host:8443/…"),
    ("HTTPS://host/secret", "https://host/…"),
    ("http://127.0.0.1:80/secret", "http://127.0.0.1:80/…"),
    ("http://localhost/secret", "http://localhost/…"),
    ("http://[::1]:9/secret", "http://[::1]:9/…"),
  ])
  func `one that can be used is shown by its host alone`(text: String, shown: String) throws {
    #expect(try #require(WebAddress(text)).description == shown)
  }

  @Test(arguments: [
    "http://hooks.example.com/secret", "http://localhost.example.com/secret", "ftp://host/secret",
    "file:///etc/passwd", "https://", "https:///path", "https://host/a b", "https://host/\n",
    "secret", "",
  ])
  func `one that is not over TLS, nor of this machine, is none`(text: String) {
    #expect(WebAddress(text) == nil)
  }
}
