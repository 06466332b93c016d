// A program for tests on a real pty: it takes the terminal over and then ends in the way that its argument names.
let arguments = CommandLine.arguments.dropFirst()
await TerminalProbe.run(arguments.first ?? "echo", Array(arguments.dropFirst()))
