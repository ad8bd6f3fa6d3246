import Config
import Testing

@Suite struct JSONTests {
  private let sample: JSON = [
    "zone": "UTC", "workers": 4, "share": 0.5, "dry": false, "note": nil, "jobs": [1, [], [:]],
  ]

  @Test func `members stay in the order in which they were written`() {
    #expect(
      sample.compact
        == #"{"zone":"UTC","workers":4,"share":0.5,"dry":false,"note":null,"jobs":[1,[],{}]}"#)
  }

  @Test func `pretty is one member a line`() {
    #expect(
      sample.pretty == """
        {
          "zone": "UTC",
          "workers": 4,
          "share": 0.5,
          "dry": false,
          "note": null,
          "jobs": [
            1,
            [],
            {}
          ]
        }
        """)
  }

  @Test(arguments: [
    ("a\"b\\c", #""a\"b\\c""#), ("line\nend\r\t", #""line\nend\r\t""#),
    ("\0\u{1}\u{1F}\u{7F}", #""\u0000\u0001\u001f\u007f""#), ("ü 🐘 한", #""ü 🐘 한""#),
    ("\u{2028}/", #""\u2028/""#), ("", #""""#),
  ])
  func `text is escaped where JSON demands it and nowhere else`(text: String, json: String) {
    #expect(JSON.string(text).compact == json)
    #expect(([text: nil] as JSON).compact == "{\(json):null}")
  }

  @Test(arguments: [
    (JSON.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
    (.number(0.1), "0.1"), (.number(-1e300), "-1e+300"),
    (.number(.leastNonzeroMagnitude), "5e-324"),
    (.number(3), "3.0"), (.number(.nan), "null"), (.number(.infinity), "null"),
  ])
  func `a number prints so that it reads back, or as null`(json: JSON, text: String) {
    #expect(json.compact == text)
  }

  @Test func `text that may be absent is null then`() {
    let absent: String? = nil

    #expect(JSON(absent).compact == "null")
    #expect(JSON("here").compact == "\"here\"")
  }
}
