/// A line of code.
struct SourcePlace {
    let file: StaticString
    let line: UInt
}
