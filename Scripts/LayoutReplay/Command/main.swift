import LayoutReplay
import SystemCalls

let command = ReplayCommand { output, errors in
    // A reader that has closed its pipe wants no more output.
    try? POSIX.writeAll(output, to: STDOUT_FILENO)
    try? POSIX.writeAll(errors, to: STDERR_FILENO)
}
exit(command.run(Array(CommandLine.arguments.dropFirst())))
