/// Makes a failing program small: drops steps, in ever smaller runs, as long as it fails.
enum FuzzShrinker {
    static func shrink(_ program: FuzzProgram, _ runner: FuzzRunner) -> (FuzzProgram, any Error)? {
        guard var error = failure(program, runner) else { return nil }
        var smallest = program
        var length = max(1, smallest.operations.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < smallest.operations.count {
                var candidate = smallest
                candidate.operations.removeSubrange(start..<min(start + length, candidate.operations.count))
                if let found = failure(candidate, runner) {
                    smallest = candidate
                    error = found
                    hasShrunk = true
                } else {
                    start += length
                }
            }
            if length > 1 { length /= 2 } else if !hasShrunk { return (smallest, error) }
        }
    }

    private static func failure(_ program: FuzzProgram, _ runner: FuzzRunner) -> (any Error)? {
        var runner = runner
        do {
            _ = try runner.run(program)
            return nil
        } catch {
            return error
        }
    }

    /// The failing program as replay lines, for a regression case.
    static func report(_ program: FuzzProgram, _ runner: FuzzRunner, seed: UInt64) -> String {
        guard let (smallest, error) = shrink(program, runner) else { return "seed \(seed): holds when run again" }
        let names = (0..<smallest.variables).map { "\"x\($0)\"" }.joined(separator: ",")
        let lines = ["{\"vars\":[\(names)]}"] + smallest.operations.map(\.description)
        return "seed \(seed): \(error)\n" + lines.joined(separator: "\n")
    }
}
