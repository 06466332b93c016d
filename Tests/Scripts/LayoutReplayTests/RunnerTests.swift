import ConstraintSolver
import LayoutReplay
import Testing

@Suite("Running a replay")
struct RunnerTests {
    private func failures(_ text: String) throws -> [ReplayFailure] {
        ReplayRunner<Solver>.failures(of: try ReplayProgram(text: Array(text.utf8)))
    }

    @Test("Adding, removing, editing, suggesting and changing constants produce the expected values")
    func holds() throws {
        let found = try failures(
            """
            {"vars":["x"]}
            {"vars":["y","z"]}
            {"add":"gap","terms":[["y",1],["x",-1]],"relation":"ge","constant":10}
            {"add":"wish","terms":[["x",1]],"relation":"eq","constant":5,"priority":500}
            {"add":"cap","terms":[["y",1]],"relation":"le","constant":12,"priority":600}
            {"expect":{"x":2,"y":12}}
            {"violation":{"1000":0,"600":0,"500":3,"7":0},"tolerance":1e-9}
            {"edit":"x","priority":700}
            {"expect":{"x":0}}
            {"suggest":"x","value":20}
            {"expect":{"x":20}}
            {"violation":{"700":0,"600":18,"500":15}}
            {"constant":"gap","value":-30.5}
            {"violation":{"600":0}}
            {"remove":"wish"}
            {"add":"wish","terms":[["z",2],["z",1]],"relation":"eq","constant":4.5,"priority":1}
            {"expect":{"z":1.5}}
            """
        )
        #expect(found == [])
    }

    @Test("An edit counts as an equality at its own priority, a required one at 1000")
    func edits() throws {
        let found = try failures(
            """
            {"vars":["x"]}
            {"add":"cap","terms":[["x",1]],"relation":"le","constant":3}
            {"edit":"x","priority":40}
            {"suggest":"x","value":8}
            {"violation":{"40":5,"1000":0}}
            {"violation":{"40":4}}
            """
        )
        #expect(found.map(\.line) == [6])
        #expect(found.first?.message == "priority 40 is violated by 5.0, not 4.0: the edit of x by 5.0")
    }

    /// Runs lines, and compares the numbers of those that fail and parts of their messages.
    private func check(_ text: String, fails expected: [(line: Int, message: String)]) throws {
        let found = try failures(text)
        #expect(found.map(\.line) == expected.map(\.line))
        for (failure, (_, text)) in zip(found, expected) { #expect(failure.message.contains(text), "\(failure)") }
    }

    @Test("Each failure is reported with its line")
    func named() throws {
        try check(
            """
            {"vars":["x","y"]}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":1}
            {"expect":{"x":2,"y":0}}
            {"expect":{"q":2}}
            {"remove":"b"}
            {"suggest":"x","value":1}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":1}
            {"constant":"c","value":1}
            {"vars":["x"]}
            {"add":"d","terms":[["q",1]],"relation":"eq","constant":1}
            {"unsatisfiable":"a0"}
            {"edit":"y","priority":5}
            {"edit":"y","priority":5}
            {"expect":{"x":1}}
            """,
            fails: [
                (3, "x is 1.0, not 2.0"),
                (4, "names the variable q"),
                (5, "no constraint b is active: it was never added"),
                (6, "the variable has no edit"),
                (7, "the add of a was refused: it is there already"),
                (8, "no constraint c is active"),
                (9, "the variable x already exists"),
                (10, "names the variable q"),
                (11, "a0 was never added"),
                (13, "already has an edit"),
            ]
        )
    }

    @Test("A refused add is accepted if a later line confirms it, and otherwise reported with its conflict")
    func refused() throws {
        let system = """
            {"vars":["x"]}
            {"add":"low","terms":[["x",1]],"relation":"ge","constant":5}
            {"add":"high","terms":[["x",2]],"relation":"le","constant":8}

            """
        #expect(try failures(system + "{\"unsatisfiable\":\"high\"}\n{\"expect\":{\"x\":5}}") == [])
        let unconfirmed = try failures(system)
        #expect(unconfirmed.map(\.line) == [3])
        #expect(unconfirmed.first?.message.contains("these exclude each other: low (line 2), itself") == true)
        // The id is free again; what counts is its last add.
        let again = """
            {"unsatisfiable":"high"}
            {"add":"high","terms":[["x",2]],"relation":"le","constant":14}
            {"unsatisfiable":"high"}
            """
        let found = try failures(system + again)
        #expect(found.map(\.line) == [6])
        #expect(found.first?.message == "the add of high in line 5 was accepted, not refused")
        // The first of both adds was never confirmed, the last is.
        let late = """
            {"add":"high","terms":[["x",2]],"relation":"le","constant":6}
            {"unsatisfiable":"high"}
            """
        #expect(try failures(system + late).map(\.line) == [3])
        #expect(try failures(system + "{\"remove\":\"high\"}\n{\"unsatisfiable\":\"high\"}").map(\.line) == [4])
    }

    @Test("Invalid input is a refusal that can be confirmed")
    func badInput() throws {
        let found = try failures(
            """
            {"vars":["x"]}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":1e300}
            {"unsatisfiable":"a"}
            {"add":"a","terms":[["x",1e400]],"relation":"eq","constant":1}
            {"unsatisfiable":"a"}
            {"add":"a","terms":[],"relation":"eq","constant":1}
            {"unsatisfiable":"a"}
            {"add":"a","terms":[["x",1],["x",-1]],"relation":"eq","constant":2}
            {"unsatisfiable":"a"}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":7}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":8}
            {"unsatisfiable":"a"}
            {"expect":{"x":7}}
            {"remove":"a"}
            """
        )
        #expect(found == [])
    }

    @Test("The extended dialect pauses, changes and resumes constraints, and recreates variables")
    func extended() throws {
        let found = try failures(
            """
            {"case":"pauses","dialect":"extended"}
            {"vars":["x","y"]}
            {"add":"a","terms":[["x",1]],"relation":"eq","constant":4,"priority":500,"weight":2}
            {"add":"b","terms":[["x",1]],"relation":"eq","constant":7,"priority":500}
            {"expect":{"x":4}}
            {"violation":{"500":3}}
            {"priority":500,"of":"b","weight":3}
            {"expect":{"x":7}}
            {"violation":{"500":6}}
            {"pause":"b"}
            {"violation":{"500":0}}
            {"add":"b","terms":[["x",1]],"relation":"eq","constant":1}
            {"unsatisfiable":"b"}
            {"constant":"b","value":9}
            {"priority":1000,"of":"b"}
            {"add":"c","terms":[["x",1]],"relation":"le","constant":8}
            {"resume":"b"}
            {"unsatisfiable":"b"}
            {"expect":{"x":4}}
            {"remove":"a"}
            {"remove":"b"}
            {"removeVariable":"x"}
            {"remove":"c"}
            {"removeVariable":"x"}
            {"vars":["x"]}
            {"add":"d","terms":[["x",1]],"relation":"eq","constant":2}
            {"expect":{"x":2}}
            {"pause":"b"}
            """
        )
        #expect(found.map(\.line) == [22, 28])
        #expect(found.first?.message.contains("the removal of x was refused") == true)
    }

    @Test("An error contains the names of the file, not the solver's indices")
    func names() throws {
        try check(
            """
            {"case":"names","dialect":"extended"}
            {"vars":["left","width"]}
            {"add":"small","terms":[["left",1e-9]],"relation":"eq","constant":1}
            {"add":"none","terms":[["left",0]],"relation":"eq","constant":1}
            {"add":"far","terms":[["left",1]],"relation":"le","constant":7}
            {"constant":"far","value":1e12}
            {"constant":"far","value":1e999}
            {"edit":"width","priority":5}
            {"suggest":"width","value":1e999}
            {"removeVariable":"width"}
            {"endEdit":"width"}
            {"edit":"left","priority":1000}
            {"suggest":"left","value":8}
            {"pause":"far"}
            {"pause":"far"}
            """,
            fails: [
                (3, "the add of small was refused: it has 1e-09, which is outside the range"),
                (4, "the add of none was refused: these exclude each other: itself"),
                (6, "the constant of far was refused: far (line 5) has 1000000000000.0, which is outside the range"),
                (7, "the constant of far was refused: far (line 5) has inf, which is not finite"),
                (9, "the suggest for width was refused: the suggestion for width has inf"),
                (
                    10,
                    "the removal of width was refused: the variable width is part of active constraints, or has an edit"
                ),
                (13, "these exclude each other: far (line 5), itself"),
                (15, "far (line 5) is not active"),
            ]
        )
    }

    @Test("A solver that changes a value when it refuses is detected")
    func changeAtRefusal() throws {
        let text = """
            {"vars":["x","y"]}
            {"add":"low","terms":[["x",1]],"relation":"ge","constant":5}
            {"add":"high","terms":[["x",2]],"relation":"le","constant":8}
            {"unsatisfiable":"high"}
            """
        let program = try ReplayProgram(text: Array(text.utf8))
        #expect(ReplayRunner<Solver>.failures(of: program) == [])
        let found = ReplayRunner<DisturbedSolver>.failures(of: program)
        #expect(found.map(\.line) == [4])
        #expect(found.first?.message.contains("was refused, and yet x went from 5.0 to 6.0") == true)
    }

    @Test("A tolerance is absolute; the default is a millionth, relative for large numbers")
    func tolerances() throws {
        func isMet(_ value: String, _ demand: String, _ tolerance: String? = nil) throws -> Bool {
            let member = tolerance.map { ",\"tolerance\":\($0)" } ?? ""
            return try failures(
                """
                {"vars":["x"]}
                {"add":"a","terms":[["x",1]],"relation":"eq","constant":\(value)}
                {"expect":{"x":\(demand)}\(member)}
                """
            ).isEmpty
        }
        #expect(try isMet("1", "1.0000009"))
        #expect(try !isMet("1", "1.0000011"))
        #expect(try isMet("1000000", "1000000.9"))
        #expect(try !isMet("1000000", "1000000.9", "0.5"))
        #expect(try isMet("1000000", "1000000.9", "1"))
        #expect(try isMet("3", "3", "0"))
        #expect(try !isMet("3", "3.0000000001", "0"))
    }
}
