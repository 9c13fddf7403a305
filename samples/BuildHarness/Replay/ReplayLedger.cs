using System;
using System.Threading;
using BuildHarness.Packets;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Replay;

/// <summary>What one worker has sent of a recorded build: each event is rebuilt and all its fields go into the hash. One thread at a time
/// (the link's receive loop).</summary>
internal sealed class ReplayLedger : IDisposable
{
    private readonly BuildEventHash _hash = new();
    private readonly Lock _gate = new();
    private string? _finished;

    public void Take(in RawPacket packet)
    {
        BuildEvent? rebuilt = packet.Type == BuildEvent.PacketType.Id ? packet.Read(BuildEvent.PacketType) : null;
        lock (_gate)
        {
            if (_finished is not null)
            {
                return;
            }

            if (rebuilt is not null)
            {
                _hash.Add(rebuilt);
            }
            else
            {
                _hash.Add(packet.Type, packet.Body);
            }
        }
    }

    /// <summary>Ends the hash; the first call counts.</summary>
    public string Finish()
    {
        lock (_gate)
        {
            return _finished ??= _hash.Finish();
        }
    }

    public void Dispose() => _hash.Dispose();
}
