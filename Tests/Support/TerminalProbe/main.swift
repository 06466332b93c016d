// A program for tests on a real pty; its argument selects a mode.
let arguments = CommandLine.arguments.dropFirst()
await TerminalProbe.run(arguments.first ?? "echo", Array(arguments.dropFirst()))
