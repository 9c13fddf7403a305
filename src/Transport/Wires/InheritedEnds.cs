using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace Transport;

/// <summary>A child's ends of the two pipes to its main node, and what else it inherits: made before it starts, and closed here
/// then.</summary>
internal sealed class InheritedEnds : IDisposable
{
    /// <summary>The least number that all of it has here, so that putting one onto its number in the child hits no other.</summary>
    public const int Least = FirstNumber + Most;

    private const int FirstNumber = FileDescriptor.FirstFree, Most = 3;

    private readonly List<DescriptorHandle> _all;

    /// <summary>Takes the ends over; both are <see cref="Least"/> or above.</summary>
    public InheritedEnds(DescriptorHandle read, DescriptorHandle write)
    {
        _all = [read, write];
        Endpoint = new WireEndpoint(WireKind.Inherited, Address(read, write));
    }

    /// <summary>Gets all that the child inherits, in the order of its numbers there.</summary>
    public IReadOnlyList<DescriptorHandle> All => _all;

    /// <summary>Gets the descriptor that the child reads.</summary>
    public int Read => _all[0].Fd;

    /// <summary>Gets the descriptor that the child writes to.</summary>
    public int Write => _all[1].Fd;

    /// <summary>Gets the number that the next one gets in the child.</summary>
    public int NextNumber => FirstNumber + _all.Count;

    /// <summary>Gets what the child is told.</summary>
    public WireEndpoint Endpoint { get; }

    /// <summary>Adds one; owned by this from then on.</summary>
    public void Add(DescriptorHandle more) => _all.Add(more);

    /// <summary>Returns why an address has another form, or null.</summary>
    public static string? Fault(string address) => TryParse(address, out _) ? null
        : $"The endpoint 'fd:{address}' has another form than fd:READ,WRITE,INODE,INODE.";

    /// <summary>Takes over the ends that this process has inherited. The first call alone finds them.</summary>
    /// <param name="endpoint">What the main node has told.</param>
    /// <returns>The wire, owned by the caller.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the descriptors are not those pipes.</exception>
    public static IWire TakeOver(WireEndpoint endpoint)
    {
        _ = TryParse(endpoint.Address, out ulong[] numbers);
        (int read, int write) = ((int)numbers[0], (int)numbers[1]);
        string? fault = EndFault(read, numbers[2], OpenFlags.ReadOnly) ?? EndFault(write, numbers[3], OpenFlags.WriteOnly);
        if (fault is not null)
        {
            throw new TransportException(
                TransportFault.ConnectFailed,
                $"Cannot connect to {endpoint}: descriptor {fault}. Something between the main node and this process has closed or "
                    + "replaced it, such as sudo, or a wrapper. Let it keep the descriptors, or the main node listen at a socket "
                    + "(MainNodeOptions.Wire).");
        }

        // Moved, so that a second call does not find them, and that children of this process do not.
        DescriptorHandle? moved = null;
        try
        {
            moved = Move(read);
            return InheritedWire.Create(moved, Move(write), new PeerIdentity { IsInherited = true });
        }
        catch (IOException e)
        {
            if (moved is not null)
            {
                moved.Dispose();
                FileDescriptor.KeepFromChildren(write);
            }

            throw new TransportException(TransportFault.ConnectFailed, $"Cannot connect to {endpoint}: {e.Message}", e);
        }
    }

    /// <summary>Closes them here; the child keeps its own.</summary>
    public void Dispose() => _all.ForEach(static one => one.Dispose());

    private static DescriptorHandle Move(int number)
    {
        Errno error = FileDescriptor.TryDuplicate(number, out int moved, Least);
        if (error != Errno.None)
        {
            throw new IOException($"descriptor {number} cannot be moved: {error.Describe()}.");
        }

        FileDescriptor.Close(number);
        return new DescriptorHandle(moved);
    }

    private static string? EndFault(int number, ulong inode, int mode) =>
        FileStatus.Read(number, out FileStatus status) is var error and not Errno.None ? $"{number} cannot be used: {error.Describe()}"
        : status.Kind != FileKind.Pipe ? $"{number} is no pipe"
        : status.Inode != inode ? $"{number} is another pipe"
        : FileDescriptor.AccessOf(number) != mode ? $"{number} is the pipe's other end"
        : null;

    private static string Address(DescriptorHandle read, DescriptorHandle write) =>
        string.Format(CultureInfo.InvariantCulture, "{0},{1},{2},{3}", FirstNumber, FirstNumber + 1, InodeOf(read), InodeOf(write));

    private static ulong InodeOf(DescriptorHandle end) => FileStatus.Read(end.Fd, out FileStatus status) == Errno.None ? status.Inode : 0;

    private static bool TryParse(string address, out ulong[] numbers)
    {
        string[] words = address.Split(',');
        numbers = new ulong[words.Length];
        for (int i = 0; i < words.Length; i++)
        {
            if (!ulong.TryParse(words[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
            {
                return false;
            }
        }

        return words.Length == 4 && numbers[0] <= int.MaxValue && numbers[1] <= int.MaxValue;
    }
}
