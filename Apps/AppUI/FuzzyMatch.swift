/// Matches typed text with the names of actions: all its letters must occur, in their order.
///
/// Hangul is compared by letters, so that `정` finds `정렬` before the second syllable is complete, and `ㅈㄹ` finds it by its
/// initial consonants.
package enum FuzzyMatch {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
    private static let vowels = Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ")
    private static let finals = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")

    /// A letter of a text, and how much a match that begins there is worth.
    private struct Letter {
        let character: Character
        let isStart: Bool
    }

    /// Returns how well a text matches: the more letters are adjacent or begin words, the higher.
    ///
    /// - Parameters:
    ///   - pattern: what was typed. White space is ignored.
    ///   - text: the name of an action.
    /// - Returns: the score; 0 for an empty pattern, `nil` if the text does not match.
    package static func score(_ pattern: String, in text: String) -> Int? {
        let wanted = letters(pattern).map(\.character)
        guard !wanted.isEmpty else { return 0 }
        let letters = letters(text)
        // best[j] is the best score of the letters of the pattern so far, the last of them at the letter j of the text.
        var best: [Int?] = []
        for (index, character) in wanted.enumerated() {
            var next = [Int?](repeating: nil, count: letters.count)
            var before: Int? = index == 0 ? 0 : nil
            for (place, letter) in letters.enumerated() {
                if letter.character == character {
                    let adjacent = place > 0 && index > 0 ? best[place - 1].map { $0 + 4 } : nil
                    if let score = [before, adjacent].compactMap(\.self).max() {
                        next[place] = score + (letter.isStart ? 3 : 1)
                    }
                }
                if index > 0, let score = best[place] { before = max(before ?? score, score) }
            }
            best = next
        }
        return best.compactMap(\.self).max().map { $0 * 100 - letters.count }
    }

    /// The letters of a text in lower case, Hangul syllables decomposed, without white space.
    private static func letters(_ text: String) -> [Letter] {
        var letters: [Letter] = []
        var isStart = true
        for character in text.lowercased() {
            guard character.isLetter || character.isNumber else {
                isStart = true
                if !character.isWhitespace { letters.append(Letter(character: character, isStart: false)) }
                continue
            }
            if let scalar = character.unicodeScalars.first?.value, (0xAC00...0xD7A3).contains(scalar) {
                let index = Int(scalar - 0xAC00)
                letters.append(Letter(character: initials[index / 588], isStart: true))
                letters.append(Letter(character: vowels[index % 588 / 28], isStart: false))
                if index % 28 > 0 { letters.append(Letter(character: finals[index % 28 - 1], isStart: false)) }
            } else {
                letters.append(Letter(character: character, isStart: isStart))
            }
            isStart = false
        }
        return letters
    }
}
