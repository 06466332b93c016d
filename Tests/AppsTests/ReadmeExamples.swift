import And
import ConstraintSolver
import CurlTransport
import Foundation
import HTTPTransport
import LocalObservation
import LocalProvider
import LocalSecrets
import NeedleKit
import NetworkProvider
import Pictures
import RIBs
import TerminalUI
import URLSessionTransport

// README.md's examples, word for word: `ReadmeTests` compares them, and the compiler reads them here.

@MainActor
func andExample() -> Label {
    // README: And
    let title = Label("PRESS START").and {
        $0.alignment = .center
        $0.numberOfLines = 2
    }
    // end
    return title
}

// README: NetworkProvider
struct Breeds: RemoteTargetType {
    typealias Response = [String: [String]]
    let base: String, path = "/api/breeds"
}

func breeds(at base: String) async throws -> [String] {
    try await NetworkProvider().request(Breeds(base: base)).keys.sorted()
}
// end

func httpTransportExample(_ transport: some HTTPTransport, _ url: String) async throws -> Int {
    // README: HTTPTransport
    let request = try HTTPRequest(.get, url, headers: ["Accept": "image/jpeg"])
    let response = try await transport.send(request)
    var count = 0
    for try await piece in response.body { count += piece.count }
    // end
    return count
}

func curlTransportExample() -> NetworkProvider {
    // README: CurlTransport
    let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 8))
    let provider = NetworkProvider(transport: transport)
    // end
    return provider
}

func urlSessionTransportExample() -> NetworkProvider {
    // README: URLSessionTransport
    let transport = URLSessionTransport()
    let missing = transport.unsupportedFeatures
    let provider = NetworkProvider(transport: transport)
    // end
    _ = missing
    return provider
}

func localProviderExample(_ folder: String) throws -> String {
    // README: LocalProvider
    let theme = LocalKey("theme", in: .defaults, default: "dark")
    let local = LocalProvider(location: FileStoreLocation(directory: folder))
    try local.set(theme, to: "light")
    let present = try local.read(theme)
    // end
    return present
}

@MainActor
func localObservationExample(_ local: LocalProvider) async throws -> String {
    // README: LocalObservation
    let theme = ObservedValue("theme", in: .defaults, of: local, default: "dark")
    theme.value = "light"
    try await theme.flush()
    // end
    return theme.value
}

func localSecretsExample(_ local: LocalProvider, _ keyPath: String) throws -> String {
    // README: LocalSecrets
    let token = LocalKey("token", of: String.self, in: .defaults)
    let secrets = SecretStore(in: local, key: try SecretKey.file(keyPath))
    try secrets.set(token, to: "3f9a-c2d1")
    let present = try secrets.read(token)
    // end
    return present
}

func constraintSolverExample() throws -> Double {
    // README: ConstraintSolver
    var solver = Solver()
    let left = solver.makeVariable(), right = solver.makeVariable()
    try solver.add(LinearConstraint([Term(right), Term(left, -1)], .greaterThanOrEqual, 10))
    try solver.add(LinearConstraint([Term(left)], .equal, 5, priority: Priority(500)))
    let width = solver.value(of: right) - solver.value(of: left)
    // end
    return width
}

@MainActor
func needleKitExample(_ caption: Label, _ picture: ImageView) {
    // README: NeedleKit
    caption.ndl.makeConstraints { make in
        make.top.equalTo(picture.ndl.bottom).offset(1)
        make.horizontal.equalTo(picture).inset(2)
        make.height.greaterThanOrEqualTo(1).priority(750)
    }
    // end
}

// README: RIBs
final class CounterInteractor: Interactor {
    private(set) var ticks = 0
    override func didBecomeActive() { task { [weak self] in self?.ticks += 1 } }
}

@MainActor
func attachCounter(to parent: some Routing) {
    parent.attachChild(Router(interactor: CounterInteractor()))
}
// end

// README: TerminalUI
final class HelloViewController: ViewController {
    override func viewDidLoad() {
        let label = Label("안녕하세요")
        view.addSubview(label)
        label.ndl.makeConstraints { $0.center.equalTo(view) }
    }
}
// end

func picturesExample(_ bytes: [UInt8]) throws -> String {
    // README: Pictures
    let renderer = PictureRenderer(depth: .trueColor)
    let box = renderer.pixelSize(columns: 40, rows: 12)
    let decoded = try PictureDecoder().decode(bytes, fitting: box)
    let lines = renderer.text(decoded.picture, columns: 40, rows: 12)
    // end
    return lines
}
