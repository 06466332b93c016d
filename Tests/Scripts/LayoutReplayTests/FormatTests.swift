import ConstraintSolver
import LayoutReplay
import Testing

@Suite("The replay format")
struct FormatTests {
    private func read(_ text: String) throws -> ReplayProgram {
        try ReplayProgram(text: Array(text.utf8))
    }

    @Test("Every kind of line is read, integers and decimals alike")
    func everyLine() throws {
        let program = try read(
            """
            {"case":"all kinds","seed":7,"more":{"deep":[1,null,true]}}
            {"vars":["x","y"]}

            {"add":"a","terms":[["x",1],["y",-0.5]],"relation":"le","constant":1.5e1,"priority":750}
            { "constant" : -3 , "relation":"ge", "terms":[["y",2]], "add":12 }\r
            {"remove":"a"}
            {"edit":"x","priority":1}
            {"suggest":"x","value":-2.25}
            {"constant":12,"value":4}
            {"expect":{"x":1,"y":2.0},"tolerance":0}
            {"violation":{"1000":0,"750":2.5}}
            {"unsatisfiable":"a"}
            """
        )
        #expect(program.name == "all kinds")
        #expect(program.lines.map(\.number) == [2, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect(
            program.steps == [
                .variables(["x", "y"]),
                .add("a", ReplayConstraint([.init("x", 1), .init("y", -0.5)], .lessThanOrEqual, 15, priority: 750)),
                .add("12", ReplayConstraint([.init("y", 2)], .greaterThanOrEqual, -3)),
                .remove("a"),
                .edit("x", priority: 1),
                .suggest("x", -2.25),
                .constant("12", 4),
                .expect([.init("x", 1), .init("y", 2)], tolerance: 0),
                .violation([.init(1000, 0), .init(750, 2.5)], tolerance: nil),
                .unsatisfiable("a"),
            ]
        )
    }

    @Test("Writing and reading a program preserves all names, and numbers to the bit")
    func roundTrip() throws {
        let awkward = "a \"b\" \\ \n \t \u{1} é 🐈"
        let program = ReplayProgram(
            name: awkward,
            steps: [
                .variables([awkward, "y"]),
                .add(
                    "c",
                    ReplayConstraint(
                        [.init(awkward, 0.1), .init("y", 1.0 / 3)],
                        .equal,
                        1e300,
                        priority: 3,
                        weight: 0.7
                    )
                ),
                .constant("c", -0.0),
                .constant("c", 123_456_789.123_456_78),
                .priority("c", 1000),
                .priority("c", 5, weight: 0.25),
                .pause("c"),
                .resume("c"),
                .endEdit("y"),
                .removeVariable("y"),
                .suggest("y", .leastNonzeroMagnitude),
                .suggest("y", .infinity),
                .expect([.init(awkward, -.greatestFiniteMagnitude)], tolerance: 1e-9),
                .violation([.init(1, 9_007_199_254_740_992)], tolerance: nil),
            ]
        )
        let again = try read(program.text)
        #expect(again.name == awkward)
        #expect(again.steps == program.steps)
        #expect(again.text == program.text)
    }

    @Test("Numbers are parsed like the standard library does")
    func numbers() throws {
        let texts = [
            "0", "-0", "0.1", "1e22", "1e23", "123456789012345678", "9007199254740993", "0.30000000000000004", "1E+2",
            "1e-7", "2.2250738585072014e-308", "4.9e-324", "1.7976931348623157e308", "100000000000000000000000",
            "0.000",
            "3.14159265358979323846264338327950288", "1e400", "-1e400", "1e-400", "0.00000000000000000000000000012345",
        ]
        for text in texts {
            let program = try read("{\"suggest\":\"x\",\"value\":\(text)}")
            guard case .suggest(_, let value) = program.steps[0] else { continue }
            #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test("A whole number is the same id as its digits in quotes, and a valid case name")
    func numericNames() throws {
        let program = try read("{\"case\":7}\n{\"remove\":1}\n{\"remove\":\"1\"}\n{\"remove\":1e2}")
        #expect(program.name == "7")
        #expect(program.steps == [.remove("1"), .remove("1"), .remove("100")])
        for text in ["{\"case\":7.5}", "{\"case\":[]}"] {
            #expect(throws: ReplayFailure.self) { try read(text) }
        }
    }

    @Test("A demand for every variable of a large system is read, and two demands for one variable are an error")
    func manyMembers() throws {
        // That the names are compared in linear time is tested with the JSON reader, by the number of comparisons.
        let count = 40_000
        let text = (0..<count).map { "\"x\($0)\":\($0)" }.joined(separator: ",")
        let program = try read("{\"expect\":{\(text)}}")
        guard case .expect(let demands, _) = try #require(program.steps.first) else {
            Issue.record("\(program.steps.count) steps")
            return
        }
        #expect(demands.count == count && program.steps.count == 1)
        #expect(demands.last == ReplayDemand("x\(count - 1)", Double(count - 1)))
        #expect(throws: ReplayFailure.self) { try read("{\"expect\":{\(text),\"x\(count / 2)\":1}}") }
        #expect(throws: ReplayFailure.self) { try read("{\"expect\":{\"a\":1,\"b\":1,\"a\":1}}") }
    }

    @Test("A byte-order mark, empty text and surrogate pairs are read")
    func unusual() throws {
        #expect(try read("").lines.isEmpty)
        #expect(try read("\n \n\r\n").lines.isEmpty)
        let marked = try ReplayProgram(text: [0xEF, 0xBB, 0xBF] + Array(#"{"remove":"\ud83d\udc08\u0041\/"}"#.utf8))
        #expect(marked.steps == [.remove("🐈A/")])
    }

    @Test(
        "What is no line of the format is refused with its line and why",
        arguments: [
            ("nonsense", "not JSON at column 1"),
            ("{\"remove\":\"a\"", "not JSON at column 14: a comma or }"),
            ("{\"remove\":\"a\"} x", "the value is followed by more text"),
            ("{\"suggest\":\"x\",\"value\":NaN}", "not JSON at column 24"),
            ("{\"suggest\":\"x\",\"value\":01}", "must not begin with 0"),
            ("{\"suggest\":\"x\",\"value\":1.}", "a digit after the decimal point is expected"),
            ("{\"suggest\":\"x\",\"value\":+1}", "not JSON"),
            ("{\"suggest\":\"x\",\"value\":-}", "not JSON"),
            ("{\"suggest\":\"x\",\"suggest\":\"y\",\"value\":1}", "two members named \"suggest\""),
            ("{\"remove\":\"\\ud800\"}", "surrogate"),
            ("{\"remove\":\"\\q\"}", "this escape does not exist"),
            ("{\"remove\":\"a\tb\"}", "control character"),
            ("[1]", "a line must be an object"),
            ("7", "a line must be an object"),
            ("{}", "an empty object says nothing"),
            ("{\"frob\":1}", "unknown member \"frob\""),
            ("{\"remove\":\"a\",\"extra\":1}", "unknown member \"extra\""),
            ("{\"remove\":\"a\",\"add\":\"b\"}", "unknown member \"remove\""),
            ("{\"remove\":[1]}", "must be a string or a whole number, not an array"),
            ("{\"remove\":1.5}", "must be a string or a whole number, not 1.5"),
            ("{\"expect\":{\"x\":1e999}}", "\"expect x\" must be a number that a double can hold"),
            ("{\"expect\":{\"x\":1},\"tolerance\":1e999}", "\"tolerance\" must be a number that a double can hold"),
            ("{\"violation\":{\"1000\":-1e999}}", "\"violation 1000\" must be a number that a double can hold"),
            ("{\"vars\":\"x\"}", "\"vars\" must be an array, not a string"),
            ("{\"vars\":[1]}", "\"vars\" must hold names"),
            ("{\"edit\":\"x\"}", "\"edit\" needs the member \"priority\""),
            ("{\"edit\":\"x\",\"priority\":0}", "1 to 1000"),
            ("{\"edit\":\"x\",\"priority\":1001}", "1 to 1000"),
            ("{\"edit\":\"x\",\"priority\":2.5}", "1 to 1000"),
            ("{\"edit\":\"x\",\"priority\":\"5\"}", "\"priority\" must be a number, not a string"),
            ("{\"suggest\":\"x\"}", "needs the member \"value\""),
            ("{\"suggest\":\"x\",\"value\":\"3\"}", "\"value\" must be a number, not a string"),
            ("{\"suggest\":\"x\",\"value\":null}", "not null"),
            ("{\"expect\":[1]}", "\"expect\" must be an object, not an array"),
            ("{\"expect\":{\"x\":true}}", "\"expect x\" must be a number, not a boolean"),
            ("{\"expect\":{\"x\":1},\"tolerance\":-1}", "zero or more"),
            ("{\"violation\":{\"high\":1}}", "priorities 1 to 1000"),
            ("{\"violation\":{\"1001\":1}}", "priorities 1 to 1000"),
            ("{\"add\":\"a\",\"relation\":\"eq\",\"constant\":1}", "needs the member \"terms\""),
            ("{\"add\":\"a\",\"terms\":[],\"constant\":1}", "needs the member \"relation\""),
            ("{\"add\":\"a\",\"terms\":[],\"relation\":\"eq\"}", "needs the member \"constant\""),
            ("{\"add\":\"a\",\"terms\":[],\"relation\":\"==\",\"constant\":1}", "eq, le or ge"),
            ("{\"add\":\"a\",\"terms\":[[1,\"x\"]],\"relation\":\"eq\",\"constant\":1}", "pair of a name and a number"),
            ("{\"add\":\"a\",\"terms\":[[\"x\"]],\"relation\":\"eq\",\"constant\":1}", "pair of a name and a number"),
            (
                "{\"add\":\"a\",\"terms\":[],\"relation\":\"eq\",\"constant\":1,\"weight\":2}",
                "unknown member \"weight\""
            ),
            ("{\"endEdit\":\"x\"}", "unknown member \"endEdit\""),
            ("{\"pause\":\"a\"}", "unknown member \"pause\""),
            ("{\"removeVariable\":\"x\"}", "unknown member \"removeVariable\""),
            ("{\"case\":\"late\"}", "first only"),
            (String(repeating: "[", count: 100_000), "nested more than 64 deep"),
        ]
    )
    func refused(_ line: String, _ why: String) throws {
        let error = try #require(throws: ReplayFailure.self) {
            try read("{\"vars\":[\"v\"]}\n\n\(line)\n{\"remove\":\"later\"}\n")
        }
        #expect(error.line == 3 && error.message.contains(why), "\(error)")
    }

    @Test("Invalid UTF-8 is rejected")
    func encoding() {
        #expect(throws: ReplayFailure.self) {
            try ReplayProgram(text: Array("{\"remove\":\"".utf8) + [0xFF, 0x22, 0x7D])
        }
    }
}
