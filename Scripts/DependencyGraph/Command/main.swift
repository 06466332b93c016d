import DependencyGraph
import SystemCalls

// Scripts/dependency-graph sets the variable to this project, which is the default package.
let root = getenv("PAWKIT_ROOT").map { String(cString: $0) } ?? "."
// The tests that --verify runs start this program for other packages.
unsetenv("PAWKIT_ROOT")
// In a hook, git names the repository of the hook for all folders; each package's folder has its own.
for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] { unsetenv(name) }
Interruption.removeTemporaryFolders()
let command = GraphCommand(defaultPackage: root) { try? POSIX.writeAll($0, to: STDERR_FILENO) }
let result = command.run(Array(CommandLine.arguments.dropFirst()))
do {
    try POSIX.writeAll(result.output, to: STDOUT_FILENO)
} catch {
    try? POSIX.writeAll("dependency-graph: standard output cannot be written: \(error)\n", to: STDERR_FILENO)
    exit(1)
}
try? POSIX.writeAll(result.errors, to: STDERR_FILENO)
exit(result.status)
