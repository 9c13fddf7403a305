using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>The options of a main node. Checked together and copied by <see cref="MainNode.Start"/>; changing it later changes
/// nothing.</summary>
public sealed class MainNodeOptions
{
    /// <summary>Gets or sets the kind of wire. Where the system refuses this process a socket, or a place for it (EPERM, EACCES, EROFS,
    /// EAFNOSUPPORT and their like), as sandboxes do, workers inherit pipes instead (<see cref="WireKind.Inherited"/>), unless
    /// <see cref="Endpoint"/> is set.</summary>
    /// <value>The default is <see cref="WireKind.UnixSocket"/>; on Windows <see cref="WireKind.NamedPipe"/>.</value>
    public WireKind Wire { get; set; } =
        RuntimeInformation.IsOSPlatform(OSPlatform.Windows) ? WireKind.NamedPipe : WireKind.UnixSocket;

    /// <summary>Gets or sets where to listen.</summary>
    /// <value>The default is null: a new endpoint of the kind <see cref="Wire"/> in a folder that only this user can enter.</value>
    public WireEndpoint? Endpoint { get; set; }

    /// <summary>Gets or sets the options of every link; its clock is the clock of all that the main node times.</summary>
    /// <value>The default is <see cref="LinkOptions"/>' own.</value>
    public LinkOptions Link { get; set; } = new();

    /// <summary>Gets or sets the beginning of node names; a running number follows (n1, n2, …).</summary>
    /// <value>1 to 50 characters of A-Z a-z 0-9 . _ -; the default is "n".</value>
    public string NodePrefix { get; set; } = "n";

    /// <summary>Gets or sets how long a worker may take from its start to its link; one that takes longer is killed.</summary>
    /// <value>100 ms to 1 h; the default is 30 s.</value>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets or sets how long a worker may go on running after its link broke or timed out; then it is killed. After a clean end it may run
    /// on.
    /// </summary>
    /// <value>0 to 1 h, of which less than 250 ms counts as 250 ms; the default is 5 s.</value>
    public TimeSpan BrokenLinkGrace { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets how long workers get to end by themselves when they are stopped; then they are killed.</summary>
    /// <value>0 to 1 h; the default is 5 s.</value>
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Gets or sets the bytes of each worker's crash tail: a file in which it keeps what it has queued until that is written, so
    /// that it survives the worker's sudden end (SIGKILL, a crash). An eighth is for the urgent lane, a quarter for bulk, the rest for
    /// normal; a packet takes its bytes on the wire and up to 63 more. The result is in <see cref="LinkReceipt.TailPackets"/> and
    /// <see cref="LinkReceipt.TailLost"/>.
    /// </summary>
    /// <value>64 KiB to 256 MiB, or 0: none; the default is 1 MiB. Read again as a whole when the worker has died.</value>
    public int TailBytes { get; set; } = 1 << 20;

    /// <summary>Checks every value.</summary>
    /// <returns>A copy that nobody else can change.</returns>
    /// <exception cref="ArgumentException">Values that cannot be used; the message names each with what is allowed.</exception>
    internal MainNodeOptions CheckedCopy()
    {
        var check = new OptionsCheck();
        bool isWire = Wire is WireKind.UnixSocket or WireKind.NamedPipe || (Wire == WireKind.Inherited && Endpoint is null);
        check.Require(isWire, nameof(Wire), Wire, "UnixSocket, NamedPipe, or Inherited without an Endpoint");
        bool isPrefix = NodePrefix is { Length: <= 50 } && NodeName.IsValid(NodePrefix);
        check.Require(isPrefix, nameof(NodePrefix), NodePrefix, "1 to 50 characters of A-Z a-z 0-9 . _ -");
        check.Between(nameof(ConnectTimeout), ConnectTimeout, TimeSpan.FromMilliseconds(100), TimeSpan.FromHours(1));
        check.Between(nameof(BrokenLinkGrace), BrokenLinkGrace, TimeSpan.Zero, TimeSpan.FromHours(1));
        check.Between(nameof(StopTimeout), StopTimeout, TimeSpan.Zero, TimeSpan.FromHours(1));
        bool isTail = TailBytes is 0 or (>= TailLayout.Least and <= TailLayout.Most);
        check.Require(isTail, nameof(TailBytes), TailBytes, "0, or 64 KiB to 256 MiB");
        check.Require(Link is not null, nameof(Link), null, "link options");
        Link?.Check(check.Within(nameof(Link)), isListener: true);
        check.ThrowIfWrong("options");
        var copy = (MainNodeOptions)MemberwiseClone();
        copy.Link = Link!.ForListener();
        return copy;
    }
}
