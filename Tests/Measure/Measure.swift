@main
struct Measure {
  static func main() {}
}
