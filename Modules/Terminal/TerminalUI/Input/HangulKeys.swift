extension Key {
    /// The letters of Hangul that the keys of the Korean standard layout (KS X 5002, two-set) type, and those of a Latin layout.
    /// A letter that Shift does not change is that of the lower case.
    private static let latinLetters: [Character: Character] = {
        let hangul = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ"
        let latin = "qwertyuiopasdfghjklzxcvbnmQWERTOP"
        return Dictionary(uniqueKeysWithValues: zip(hangul, latin))
    }()

    /// The key as a Latin layout reports it: `n` for `ㅜ`, which the same key types while a Hangul input method is on.
    var inLatinLayout: Key {
        guard case .character(let character) = code, let latin = Key.latinLetters[character] else { return self }
        return Key(.character(latin), modifiers)
    }
}
