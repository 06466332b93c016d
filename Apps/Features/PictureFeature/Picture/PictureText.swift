import AppLanguage
import AppUI
import PictureCore
import Pictures
import TextEscaping

/// The texts of the picture and of the favourites.
enum PictureText {
    static let title = LocalizedText("Favourites", ko: "즐겨찾기")
    static let saved = LocalizedText("Saved as a favourite.", ko: "즐겨찾기에 저장했습니다.")
    static let savedBefore = LocalizedText("This picture is a favourite already.", ko: "이미 즐겨찾기에 있는 사진입니다.")
    static let removed = LocalizedText("Removed from the favourites.", ko: "즐겨찾기에서 삭제했습니다.")
    static let breed = LocalizedText("Breed", ko: "품종")
    static let source = LocalizedText("Source", ko: "출처")
    static let sortByBreed = LocalizedText("sort by breed", ko: "품종 순서")
    static let sortBySource = LocalizedText("sort by source", ko: "출처 순서")
    static let widenTable = LocalizedText("widen the table", ko: "표 넓히기")
    static let unknownBreed = LocalizedText("unknown breed", ko: "품종 미상")
    static let show = LocalizedText("show", ko: "보기")
    static let remove = LocalizedText("remove", ko: "삭제")
    static let retry = LocalizedText("try again", ko: "다시 시도")
    static let wait = LocalizedText("Loading…", ko: "불러오는 중…")
    static let loading = LocalizedText("The picture is being fetched…", ko: "사진을 가져오는 중…")
    /// The words in place of a picture where none can be drawn.
    static let picture = LocalizedText("a picture", ko: "사진")
    static let back = LocalizedText("back", ko: "뒤로")

    /// Returns why the bundled picture is not saved.
    static func bundled(_ keys: PictureKeys) -> LocalizedText {
        LocalizedText(
            "This is the bundled picture. Fetch another one with \(keys.next) first.",
            ko: "기본 사진입니다. 먼저 \(keys.next) 키로 다른 사진을 받으세요."
        )
    }

    /// Returns the text in place of favourites.
    static func empty(_ keys: PictureKeys) -> LocalizedText {
        LocalizedText(
            "No favourites yet. Press \(keys.favourite) beside a picture to save it.",
            ko: "즐겨찾기가 없습니다. 사진이 나올 때 \(keys.favourite) 키를 누르면 저장됩니다."
        )
    }

    /// Returns the words in place of a picture that is being fetched.
    static func coming(_ animal: String) -> LocalizedText {
        LocalizedText("a \(animal) is coming", ko: "사진이 오고 있습니다")
    }

    /// Returns what is wrong with a picture that is shown.
    static func warning(_ warning: PictureWarning) -> LocalizedText {
        let korean =
            switch warning {
            case .truncated(let known, let rows) where known < rows: "전체 \(rows)줄 중 처음 \(known)줄만 받았습니다."
            case .truncated: "사진이 끝까지 오지 않아 일부가 빠져 있습니다."
            case .damaged(let reason): "사진이 손상되어 일부가 잘못 보일 수 있습니다(\(reason))."
            }
        return LocalizedText("\(warning)", ko: korean)
    }

    /// Returns the breed and the source of a picture; empty for the bundled one.
    static func caption(of reference: PictureReference?) -> LocalizedText {
        guard let reference else { return LocalizedText(verbatim: "") }
        let host = Self.host(of: reference.url)
        guard let breed = reference.breed else { return LocalizedText(verbatim: host) }
        return LocalizedText(verbatim: host.isEmpty ? breed : "\(breed) · \(host)")
    }

    /// Returns the host of an address; empty without one.
    static func host(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { return "" }
        return String(parts[2].prefix { $0 != "?" && $0 != "#" }).escapingControls(limit: 60)
    }

    /// Returns why a favourite was not saved or removed.
    static func notSaved(_ reason: String) -> LocalizedText {
        LocalizedText("The favourites are unchanged: \(reason)", ko: "즐겨찾기를 바꾸지 못했습니다: \(reason)")
    }

    /// Returns why the picture is not a new one and what to do next, short enough for two lines under it.
    static func problem(_ failure: PictureFailure, _ keys: PictureKeys) -> LocalizedText {
        let reason = summary(of: failure)
        switch failure {
        case .network(let error) where error.status == 429: return reason
        case .noSuchBreed:
            return LocalizedText(
                "\(reason.english); choose a breed with \(keys.profile)",
                ko: "\(reason.korean). \(keys.profile) 키로 품종을 고르세요"
            )
        default:
            return LocalizedText(
                "\(reason.english); try again with \(keys.next)",
                ko: "\(reason.korean). \(keys.next) 키로 다시 시도합니다"
            )
        }
    }

    /// Returns why the picture of a favourite is not shown, and what to do next.
    static func notShown(_ failure: PictureFailure) -> LocalizedText {
        switch failure {
        case .network(let error) where error.isOffline:
            LocalizedText(
                "Offline: check the network, then try again with r.",
                ko: "오프라인입니다. 네트워크를 확인한 뒤 r을 눌러 다시 시도하세요."
            )
        case .network(let error) where error.status == 404:
            LocalizedText(
                "The service has this picture no longer: remove it with d.",
                ko: "서비스에 더 이상 없는 사진입니다. d를 누르면 삭제됩니다."
            )
        default:
            LocalizedText("The picture cannot be shown: try again with r.", ko: "사진을 표시할 수 없습니다. r을 누르면 다시 시도합니다.")
        }
    }

    private static func summary(of failure: PictureFailure) -> LocalizedText {
        switch failure {
        case .network(let error) where error.isOffline:
            LocalizedText(failure.summary, ko: "오프라인: 새 사진이 아닙니다")
        case .network(let error) where error.status == 429:
            LocalizedText("too many pictures: wait a minute", ko: "요청이 너무 많습니다. 1분 뒤에 다시 하세요")
        case .network(let error):
            error.status.map {
                LocalizedText(failure.summary, ko: "사진 서비스가 상태 \($0.with(.object)) 반환했습니다")
            } ?? LocalizedText(failure.summary, ko: "사진 서비스가 올바르게 응답하지 않았습니다")
        case .noPicture: LocalizedText(failure.summary, ko: "사진 서비스에 사진이 없습니다")
        case .picture: LocalizedText(failure.summary, ko: "새 사진을 읽을 수 없습니다")
        case .noSuchBreed(let name):
            LocalizedText(failure.summary, ko: "\(name.quoted(limit: 30)) 사진이 없습니다")
        }
    }
}
