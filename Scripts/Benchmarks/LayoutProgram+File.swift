import ConstraintSolver
import Foundation

extension LayoutProgram {
    /// Reads a program from a file, to measure with a custom workload.
    ///
    /// The file is words: `vars N`, `cns N`, then for each constraint `OPERATOR STRENGTH CONSTANT COUNT`, with 0 for <=, 1
    /// for >= and 2 for =, and COUNT times `VARIABLE COEFFICIENT`, meaning the sum plus CONSTANT against zero; `ops N`,
    /// then `phase NAME`, `add I`, `rem I`, `edit V STRENGTH`, `sug V VALUE`, `const I CONSTANT` and `upd`. Strengths are
    /// sums of 1,000,000 for strong, 1,000 for medium and 1 for weak ones, 1,001,001,000 for required ones.
    ///
    /// - Throws: ``Malformed`` with the word that could not be read; what the file system throws.
    init(contentsOf path: String) throws {
        let words = try String(contentsOfFile: path, encoding: .utf8).split { $0 == " " || $0 == "\n" }
        var place = 0
        func word() throws(Malformed) -> Substring {
            guard place < words.count else { throw Malformed(word: "the end") }
            place += 1
            return words[place - 1]
        }
        func whole() throws(Malformed) -> Int {
            let text = try word()
            guard let value = Int(text) else { throw Malformed(word: String(text)) }
            return value
        }
        func number() throws(Malformed) -> Double {
            let text = try word()
            guard let value = Double(text) else { throw Malformed(word: String(text)) }
            return value
        }
        func level(_ strength: Double) -> (priority: Int, weight: Double) {
            if strength >= 1_001_001_000 { return (1000, 1) }
            if strength >= 1e6 { return (900, strength / 1e6) }
            return strength >= 1e3 ? (500, strength / 1e3) : (100, strength)
        }
        _ = try word()
        variables = try whole()
        _ = try word()
        for _ in 0..<(try whole()) {
            let relation: Relation = [.lessThanOrEqual, .greaterThanOrEqual, .equal][try whole() % 3]
            let (priority, weight) = level(try number())
            let constant = try -number()
            var terms: [(variable: Int, coefficient: Double)] = []
            for _ in 0..<(try whole()) { terms.append((try whole(), try number())) }
            _ = define(Entry(terms, relation, constant, priority, weight: weight))
        }
        _ = try word()
        for _ in 0..<(try whole()) {
            switch try word() {
            case "phase": phase(String(try word()))
            case "add": step(.add(try whole()))
            case "rem": step(.remove(try whole()))
            case "edit": step(.edit(try whole(), level(try number()).priority))
            case "sug": step(.suggest(try whole(), try number()))
            case "const": step(.constant(try whole(), try -number()))
            case "upd": step(.read)
            case let other: throw Malformed(word: String(other))
            }
        }
    }

    /// The file is no program.
    struct Malformed: Error, CustomStringConvertible {
        var word: String
        var description: String { "the workload cannot be read at \(word)" }
    }
}
