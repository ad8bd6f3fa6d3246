/// What learners are called.
struct Names: Sendable {
  private let first: [String]
  private let last: [String]
  private let isLastFirst: Bool

  func name(_ dice: inout Dice) -> String {
    let (one, other) = (dice.one(of: first), dice.one(of: last))
    return isLastFirst ? other + one : "\(one) \(other)"
  }

  static let korean = Names(
    first: [
      "민준", "서연", "도윤", "지우", "하준", "서윤", "예준", "하은", "지호", "수아", "은우", "다은",
    ],
    last: ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오"], isLastFirst: true)

  static let english = Names(
    first: [
      "Ada", "Ben", "Clara", "David", "Elif", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kaia",
      "Luca", "Maya", "Noah", "Olga", "Pedro", "Rosa", "Samir", "Tessa", "Yuki",
    ],
    last: [
      "Abel", "Brown", "Costa", "Diaz", "Evans", "Fischer", "Gupta", "Hansen", "Ito", "Jansen",
      "Khan", "Lopez", "Meyer", "Novak", "Okafor", "Perez", "Rossi", "Silva", "Tran", "Young",
    ], isLastFirst: false)
}
