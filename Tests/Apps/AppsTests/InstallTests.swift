import Foundation
import TestSupport
import Testing

@Suite(
    "Scripts/install, and the first build of Scripts/run",
    .disabled(if: isAddressSanitized, "an installed program has no symbols, by whose names known leaks are recognised"),
    .timeLimit(.minutes(5))
)
struct InstallTests {
    private static let ownFiles = [
        "bin/NAME", "share/bash-completion/completions/NAME", "share/fish/vendor_completions.d/NAME.fish",
        "share/man/man1/NAME.1", "share/zsh/site-functions/_NAME",
    ]

    /// The sorted paths of the files below a folder.
    private func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.appending(path: name).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }
        .sorted()
    }

    private func files(of name: String) -> [String] {
        (Self.ownFiles.map { $0.replacing("NAME", with: name) } + ["share/pawkit/installed/\(name)"]).sorted()
    }

    @Test("The program, its manual page and its completions are installed; --uninstall removes exactly these")
    func installs() async throws {
        let project = try ProjectCopy(programs: ["Dog", "Cat"])
        let prefix = project.folder.file("local")
        try project.folder.write("a page of another program", to: "local/share/man/man1/other.1")
        let arguments = ["--prefix", prefix.path]
        let mask = try project.folder.write("umask 077\n", to: "mask").path
        let result = try await project.run("install", arguments + ["dog", "CAT"], environment: ["BASH_ENV": mask])
        #expect(result.status == 0, "\(result.errors)")
        for folder in ["bin", "share/pawkit/installed", "share/fish/vendor_completions.d"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: prefix.appending(path: folder).path)
            #expect(attributes[.posixPermissions] as? Int == 0o755, "\(folder)")
        }
        #expect(result.errors.contains("installed \(prefix.path)/bin/pawkit-dog\n"))
        #expect(
            result.errors.contains(
                "\(prefix.path)/bin is not on PATH; add this line to the profile of the shell: export"
            )
        )
        #expect(
            try files(below: prefix)
                == (files(of: "pawkit-dog") + files(of: "pawkit-cat") + ["share/man/man1/other.1"]).sorted()
        )

        // The command, its help and its manual page have the installed name.
        let program = prefix.appending(path: "bin/pawkit-dog")
        let environment = ["HOME": project.folder.path, "PAWKIT_DATA_DIR": project.folder.path + "/data"]
        let help = try await ChildProcess.run(program, ["--help"], environment: environment)
        #expect(help.output.contains("pawkit-dog todo add"), "\(help)")
        #expect(try await ChildProcess.run(program, ["--version"]).output.hasPrefix("pawkit-dog 0."))
        let added = try await ChildProcess.run(program, ["todo", "add", "Buy milk"], environment: environment)
        #expect(added.status == 0, "\(added.errors)")
        let refused = try await ChildProcess.run(program, ["tood"], environment: environment)
        #expect(refused.status == 2 && refused.errors.hasPrefix("pawkit-dog: "), "\(refused.errors)")
        let page = try String(contentsOf: prefix.appending(path: "share/man/man1/pawkit-dog.1"), encoding: .utf8)
        #expect(page.hasPrefix(".TH \"PAWKIT\\-DOG\" \"1\"") && page.contains("a picture of a dog beside them"))

        let removed = try await project.run("install", ["--uninstall"] + arguments + ["dog", "DOG"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try files(below: prefix) == (files(of: "pawkit-cat") + ["share/man/man1/other.1"]).sorted())
        // One that is not installed is no reason to keep the others.
        let rest = try await project.run("install", ["--uninstall"] + arguments + ["dog", "cat"])
        #expect(rest.status == 1 && rest.errors.contains("pawkit-dog is not installed below \(prefix.path)"))
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: prefix.path).sorted()
                == ["share", "share/man", "share/man/man1", "share/man/man1/other.1"]
        )
    }

    @Test("The shells find the installed completions")
    func completes() async throws {
        let project = try ProjectCopy(programs: ["Dog"])
        let prefix = project.folder.path + "/local"
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":\(prefix)/bin"
        let result = try await project.run(
            "install",
            ["--prefix", "\(project.folder.path)/Scripts/..//local/", "dog"],
            environment: ["PATH": path]
        )
        #expect(result.status == 0 && !result.errors.contains("is not on PATH"), "\(result.errors)")
        let environment = ["HOME": project.folder.path, "XDG_DATA_HOME": prefix + "/share", "PATH": path]
        let bash = try await ChildProcess.run(
            URL(filePath: "/bin/bash"),
            ["--norc", "-c", ". '\(prefix)/share/bash-completion/completions/pawkit-dog' && complete -p pawkit-dog"],
            environment: environment
        )
        #expect(bash.output.contains("-F"), "\(bash)")
        if let fish = Programs.find("fish") {
            let words = try await ChildProcess.run(
                fish,
                ["-c", "complete -C 'pawkit-dog tod'"],
                environment: environment
            )
            #expect(words.output.hasPrefix("todo"), "\(words)")
        }
        if let zsh = Programs.find("zsh") {
            let script = "fpath+=('\(prefix)/share/zsh/site-functions'); autoload -Uz compinit; compinit -u -D"
            let found = try await ChildProcess.run(
                zsh,
                ["-f", "-c", script + "; print -r -- $_comps[pawkit-dog]"],
                environment: environment
            )
            #expect(found.output == "_pawkit-dog\n", "\(found)")
            #expect(result.errors.contains("fpath+=(\(prefix)/share/zsh/site-functions)"))
        }
    }

    @Test("A file of another origin is neither overwritten nor removed, and a second installation replaces the first")
    func respectsOtherFiles() async throws {
        let project = try ProjectCopy(programs: ["Dog", "Cat"])
        let arguments = ["--prefix", project.folder.path + "/local", "dog"]
        let other = project.folder.file("local/bin/pawkit-cat")
        for isLink in [false, true] {
            try project.folder.write("#!/bin/sh\n", to: "local/bin/pawkit-cat")
            if isLink {
                try FileManager.default.removeItem(at: other)
                try FileManager.default.createSymbolicLink(atPath: other.path, withDestinationPath: "nowhere")
            }
            let refused = try await project.run("install", arguments + ["cat"])
            #expect(refused.status == 1)
            #expect(
                refused.errors.contains("/local/bin/pawkit-cat exists and is not of this program, or has been changed"),
                "\(refused.errors)"
            )
            #expect(try files(below: project.folder.file("local")) == ["bin/pawkit-cat"])
            try FileManager.default.removeItem(at: other)
        }
        let partial = try project.folder.write("mine", to: "local/bin/pawkit-dog.new")
        for _ in 0..<2 {
            let result = try await project.run("install", arguments)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try String(contentsOf: partial, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(at: partial)
        #expect(try files(below: project.folder.file("local")) == files(of: "pawkit-dog"))
        try project.folder.write("# my completions\n", to: "local/share/bash-completion/completions/pawkit-dog")
        let removed = try await project.run("install", ["--uninstall"] + arguments)
        #expect(removed.errors.contains("completions/pawkit-dog has been changed since: it was not removed"))
        #expect(try files(below: project.folder.file("local")) == ["share/bash-completion/completions/pawkit-dog"])
    }

    @Test(
        "An installation or an upgrade that fails in the middle can be repeated and removed",
        arguments: [false, true]
    )
    func failsInTheMiddle(repeats: Bool) async throws {
        let project = try ProjectCopy(programs: ["Dog", "Cat"])
        let prefix = project.folder.file("local")
        let arguments = ["--prefix", prefix.path, "dog"]
        // A file in the place of a folder stops the installation after the program.
        try project.folder.write("", to: "local/share/man")
        let program = project.folder.file(".build/standalone/release/Dog")
        for version in ["Dog", "Cat"] {
            let failed = try await project.run("install", arguments)
            #expect(failed.status == 1)
            #expect(failed.errors.contains("/share/man/man1 cannot be created"), "\(failed.errors)")
            #expect(try files(below: prefix).contains("bin/pawkit-dog"), "\(version)")
            try FileManager.default.removeItem(at: program)
            try FileManager.default.createSymbolicLink(
                at: program,
                withDestinationURL: ChildProcess.productsDirectory.appending(path: "Cat")
            )
        }
        if repeats {
            try FileManager.default.removeItem(at: prefix.appending(path: "share/man"))
            let result = try await project.run("install", arguments)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try files(below: prefix) == files(of: "pawkit-dog"))
        }
        let removed = try await project.run("install", ["--uninstall"] + arguments)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try files(below: prefix) == (repeats ? [] : ["share/man"]))
    }

    @Test(
        "Invalid arguments exit with 2 and say what is valid",
        arguments: [
            (["dgo"], "there is no program dgo; did you mean dog?"),
            ([], "which program? one of: dog cat dependency-graph"),
            (["--prefix"], "--prefix needs a folder"), (["--uninstal", "dog"], "did you mean --uninstall?"),
        ]
    )
    func refuses(arguments: [String], message: String) async throws {
        let result = try await ProjectCopy().run("install", arguments)
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }

    /// Writes a program in place of swift, which prints what SwiftPM prints during a build and creates the product.
    private func writeCompiler(in project: ProjectCopy, status: Int) async throws {
        let text = try project.folder.write(
            """
            #!/usr/bin/env bash
            for step in {1..40}; do echo "[$step/40] Compiling Module File$step.swift"; done
            [ \(status) = 0 ] || { echo "File7.swift:3:1: error: expected expression"; exit \(status); }
            mkdir -p "$3/.build/quick/debug"
            printf '#!/bin/sh\\necho "the app runs with $*"\\n' >"$3/.build/quick/debug/Dog"
            chmod +x "$3/.build/quick/debug/Dog"

            """,
            to: "tools/compiler"
        )
        // Copied by another process: children of other tests, which inherit the descriptors of this one until they run their
        // program, never have the program open for writing, with which it could not be executed.
        let program = project.folder.file("tools/swift").path
        let copied = try await ChildProcess.run(URL(filePath: "/usr/bin/install"), ["-m", "755", text.path, program])
        #expect(copied.status == 0, "\(copied.errors)")
    }

    @Test("The first build of Scripts/run says what it does and how far it is; the next run builds nothing")
    func reportsProgress() async throws {
        let project = try ProjectCopy()
        try await writeCompiler(in: project, status: 0)
        let path = project.folder.path + "/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        // Every step is printed; by default one at most every ten seconds.
        let environment = ["PATH": path, "PAWKIT_PROGRESS": "0"]
        let first = try await project.run("run", ["dog", "todo", "list"], environment: environment)
        #expect(first.status == 0 && first.output == "the app runs with todo list\n", "\(first)")
        let lines = first.errors.split(separator: "\n").map(String.init)
        #expect(
            lines.first
                == "building Dog (debug); the first build takes one to two minutes, later ones compile what changed"
        )
        #expect(lines.count == 41, "\(lines)")
        #expect(lines.dropFirst().first?.hasPrefix("  step 1 of 40 known so far, after ") == true, "\(lines)")
        #expect(lines.last?.hasSuffix(" s: Compiling Module") == true, "\(lines)")
        let second = try await project.run("run", ["dog"], environment: ["PATH": path])
        #expect(second.output == "the app runs with \n" && second.errors == "", "\(second)")
        // The toolchain is no longer in the folder that the program names.
        let moved = ["PATH": path, "BASH_FUNC_ldd%%": "() { echo 'libswiftCore.so => not found'; }"]
        let third = try await project.run("run", ["dog"], environment: moved)
        #expect(third.errors.hasPrefix("building Dog (debug)\n"), "\(third)")
    }

    @Test("A script finds its project by a relative path, whatever CDPATH is, and from a symbolic link")
    func findsProject() async throws {
        let project = try ProjectCopy()
        try await writeCompiler(in: project, status: 0)
        try FileManager.default.createSymbolicLink(
            atPath: project.folder.path + "/link",
            withDestinationPath: "Scripts/run"
        )
        let path = project.folder.path + "/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        for script in ["Scripts/run", "link"] {
            let result = try await ChildProcess.run(
                URL(filePath: "/bin/bash"),
                [script, "dog"],
                environment: ["PATH": path, "CDPATH": ".:/"],
                in: project.folder.url
            )
            #expect(result.status == 0 && result.output == "the app runs with \n", "\(script): \(result)")
        }
    }

    @Test("A failed build of Scripts/run prints the compiler's output and exits with 1")
    func reportsErrors() async throws {
        let project = try ProjectCopy()
        try await writeCompiler(in: project, status: 3)
        let path = project.folder.path + "/tools:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let result = try await project.run("run", ["dog"], environment: ["PATH": path])
        #expect(result.status == 1 && result.output == "")
        #expect(result.errors.contains("File7.swift:3:1: error: expected expression"))
        #expect(result.errors.hasSuffix("run: the build failed (see above)\n"), "\(result.errors)")
        #expect(try files(below: project.folder.file(".build")) == [])
        // Where nothing can be built, nothing is.
        try FileManager.default.removeItem(at: project.folder.file(".build"))
        try project.folder.write("", to: ".build")
        let unwritable = try await project.run("run", ["dog"], environment: ["PATH": path])
        #expect(unwritable.status == 1 && !unwritable.errors.contains("building"), "\(unwritable.errors)")
        #expect(unwritable.errors.hasSuffix("/.build cannot be written: use a writable copy\n"), "\(unwritable.errors)")
    }
}
