/// A program, and the targets of its phases.
struct LayoutWorkload: Sendable {
    var name: String
    var program: LayoutProgram
    /// How many times faster than the peer each phase must be; a phase without a target is measured all the same.
    var faster: [String: Double] = [:]
    /// How many times fewer instructions than the peer the whole must take, or nil.
    var fewerInstructions: Double?
    /// Whether instructions are counted, which takes fifty times as long as the slower side runs.
    var isCounted = true
    /// How many rounds are timed.
    var rounds = 7

    static var all: [LayoutWorkload] {
        [
            LayoutWorkload(
                name: "form as enaml states it",
                program: .form(rows: 5, resizes: 300),
                fewerInstructions: 5
            ),
            LayoutWorkload(name: "chain of 100", program: .chain(100, resizes: 20), faster: ["resize": 15]),
            LayoutWorkload(name: "chain of 100, unequal", program: .chain(100, isUnequal: true, resizes: 20)),
            LayoutWorkload(
                name: "chain of 1,000",
                program: .chain(1000, resizes: 2),
                faster: ["resize": 1000],
                isCounted: false,
                rounds: 2
            ),
            LayoutWorkload(
                name: "chain of 1,000, unequal",
                // Enough resizes for the preferences to be given up one after the other, which is the expensive part.
                program: .chain(1000, isUnequal: true, resizes: 20),
                faster: ["resize": 1000],
                isCounted: false,
                rounds: 1
            ),
            LayoutWorkload(name: "grid 5x4", program: .grid(rows: 5, columns: 4, resizes: 40), faster: ["resize": 3]),
            LayoutWorkload(
                name: "grid 25x10",
                program: .grid(rows: 25, columns: 10, resizes: 40),
                isCounted: false,
                rounds: 2
            ),
            LayoutWorkload(
                name: "list of 100",
                program: .list(100, resizes: 40, reloads: 40, constants: 100),
                faster: ["resize": 60, "reload": 250],
                rounds: 5
            ),
            LayoutWorkload(
                name: "rows of 2,000, cells first",
                program: .rows(2000, labels: 1, order: .cellsFirst),
                isCounted: false,
                rounds: 1
            ),
            LayoutWorkload(
                name: "table of 2,000 with two labels, cells first",
                program: .rows(2000, labels: 2, order: .cellsFirst),
                isCounted: false,
                rounds: 1
            ),
            LayoutWorkload(name: "churn", program: .churn(variables: 1000, operations: 4000), rounds: 3),
        ]
    }
}
