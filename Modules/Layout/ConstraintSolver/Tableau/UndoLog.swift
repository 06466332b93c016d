/// The state of restricted rows, reduced costs and touched symbols before the current operation changed them, to the bit.
///
/// Invariant: the log is empty between operations, and nothing is recorded outside one.
struct UndoLog: ~Copyable {
    /// A row before a change; its entries are in `entries`.
    struct SavedRow: BitwiseCopyable {
        var row: Int32
        var basic: Int32
        /// The number of saved entries; -1 when only the constant was saved.
        var count: Int32
        var constant: Double
    }

    private(set) var isRecording = false
    private var rows = Buffer<SavedRow>()
    private var entries = Buffer<Entry>()
    /// The symbols whose reduced costs were saved.
    private var symbols = Buffer<Int32>()
    private var costs = Buffer<Double>()
    /// The number of touched symbols before. Those touched since then have their former values again after an undo.
    private var touchedCount = 0
    private var wasDoubtful = false

    init() {}

    /// Starts to record what pivots and shifts change.
    mutating func begin(touchedCount count: Int, isDoubtful: Bool) {
        removeAll()
        touchedCount = count
        wasDoubtful = isDoubtful
        isRecording = true
    }

    /// Ends the recording and accepts the changes.
    mutating func commit() {
        removeAll()
        isRecording = false
    }

    /// Reverts what was done since recording began: every row, reduced cost and value has the bits it had.
    mutating func undo(_ store: inout RowStore, _ objective: inout Objective, _ evaluation: inout Evaluation) {
        isRecording = false
        evaluation.forgetTouched(after: touchedCount, &store)
        while let saved = rows.popLast() {
            store.rows[saved.row].constant = saved.constant
            guard saved.count >= 0 else { continue }
            let former = store.rows[saved.row].basic
            if former != saved.basic { store.exchangeBasic(saved.row, leaving: former, entering: saved.basic) }
            let start = entries.count - Int(saved.count)
            store.restore(saved.row, UnsafeBufferPointer(start: entries.base + start, count: Int(saved.count)))
            entries.truncate(to: start)
        }
        while let symbol = symbols.popLast() {
            let start = costs.count - objective.stride
            objective.restore(symbol, costs.base + start)
            costs.truncate(to: start)
        }
        objective.isDoubtful = wasDoubtful
        removeAll()
    }

    /// Saves a restricted row before it changes.
    mutating func save(_ row: Int32, _ store: inout RowStore) {
        let present = store.rows[row]
        rows.append(SavedRow(row: row, basic: present.basic, count: present.count, constant: present.constant))
        entries.append(contentsOf: UnsafeBufferPointer(start: present.entries, count: Int(present.count)))
    }

    /// Saves a row's constant before it changes.
    mutating func saveConstant(_ row: Int32, _ store: inout RowStore) {
        let present = store.rows[row]
        rows.append(SavedRow(row: row, basic: present.basic, count: -1, constant: present.constant))
    }

    /// Saves a symbol's reduced costs before they change.
    mutating func saveCosts(_ symbol: Int32, _ present: UnsafeBufferPointer<Double>) {
        symbols.append(symbol)
        costs.append(contentsOf: present)
    }

    private mutating func removeAll() {
        rows.removeAll()
        entries.removeAll()
        symbols.removeAll()
        costs.removeAll()
    }
}
