package import AppLanguage
import EssentialFoundation
import TextEscaping

/// The templates of the user: text files with a todo a line, which are added together.
package struct TemplateFolder: Sendable {
    private static let suffix = ".txt"

    /// The path of the folder; `nil` without a home folder.
    package let path: String?

    /// - Parameter path: the path of the folder, which need not exist.
    package init(_ path: String?) { self.path = path }

    /// The names of the templates, in alphabetical order.
    package var names: [String] {
        let files = path.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return files.filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }
            .map { String($0.dropLast(Self.suffix.count)) }.sorted()
    }

    /// Returns the path of a template.
    package func file(_ name: String) -> String { "\(path ?? "")/\(name)\(Self.suffix)" }

    /// How a template is made.
    package var hint: LocalizedText {
        LocalizedText("write the todos, one a line, into \(file("NAME"))", ko: "\(file("이름")) 파일에 할 일을 한 줄에 하나씩 적어 주세요")
    }

    /// Returns the lines of a template without comments; their numbers in the file are their indices plus one.
    ///
    /// - Throws: ``TodoFieldError`` if there is no such template, or if it is not text.
    package func lines(of name: String) throws(TodoFieldError) -> [String] {
        let names = names
        guard names.contains(name) else {
            let nearest = NearestName.of(name, among: names)
            let next = nearest.map { LocalizedText("did you mean \($0.quoted())?", ko: "\($0.quoted())입니까?") } ?? hint
            throw TodoFieldError(
                LocalizedText(
                    "there is no template \(name.quoted()); \(next.english)",
                    ko: "템플릿 \(name.quoted().with(.subject)) 없습니다. \(next.korean)"
                )
            )
        }
        guard let data = try? Data(contentsOf: URL(filePath: file(name))), data.count <= TodoFileFormat.sizeLimit,
            let text = String(validating: data, as: UTF8.self)
        else {
            throw TodoFieldError(
                LocalizedText(
                    "\(file(name)) cannot be read, is not UTF-8, or is too long",
                    ko: "\(file(name)): 읽을 수 없거나 UTF-8이 아니거나 너무 깁니다"
                )
            )
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.hasPrefix("# ") ? "" : String($0) }
    }
}
