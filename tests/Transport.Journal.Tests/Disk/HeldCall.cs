using System;
using System.Threading;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Disk;

/// <summary>Holds the calls of one kind at a simulated disk until they may go on. The disk's lock is free meanwhile, so that other threads
/// can use the disk.</summary>
internal sealed class HeldCall : IDisposable
{
    private readonly ManualResetEventSlim _begun = new();
    private readonly ManualResetEventSlim _may = new();

    /// <param name="disk">The disk; what it injected before is replaced.</param>
    /// <param name="name">The calls that are held, such as sync or write.</param>
    public HeldCall(SimulatedDisk disk, string name) => disk.Inject = (call, _) =>
    {
        if (call == name && !_may.IsSet)
        {
            _begun.Set();
            Monitor.Exit(disk.Lock);
            _may.Wait(WithinExtensions.Bound);
            Monitor.Enter(disk.Lock);
        }

        return StoreError.None;
    };

    /// <summary>Waits until a call is held.</summary>
    /// <returns>False if none has come in time.</returns>
    public bool WaitForOne() => _begun.Wait(WithinExtensions.Bound);

    /// <summary>Lets the calls go on, these and all that follow.</summary>
    public void Release() => _may.Set();

    public void Dispose()
    {
        _begun.Dispose();
        _may.Dispose();
    }
}
