/// The effect of a loss of power on unsynchronised bytes and names of a ``SimulatedDisk``. All of these happen to real
/// disks: a file system writes names and bytes to the disk in any order, and bytes by sectors.
enum PowerLoss: CaseIterable {
    /// Neither names nor bytes got to the disk.
    case everything
    /// Names did, as they were at last, and bytes did not.
    case bytes
    /// Names did, files got their length, and behind the bytes that were synchronised there are zeros.
    case zeros
    /// Bytes did, and names did not.
    case names
    /// Of the names as many changes as chance has it, in their order; of the bytes any sectors.
    case chance
    /// Everything got there in time.
    case nothing
}
