import Testing

/// The program of all tests, on platforms where they are a program.
///
/// Without this file SwiftPM looks for subclasses of XCTestCase in the index of the compiler, which no other step needs and
/// which takes a fifth of the time of a build.
@main
struct TestProgram {
    static func main() async {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--testing-library"),
            arguments.dropFirst(option + 1).first != "xctest"
        else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
