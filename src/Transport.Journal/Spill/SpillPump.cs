using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Gives one link what a lane has in memory and in its journal and that is not acknowledged, by rising numbers; then what is
/// spilled later.</summary>
internal sealed class SpillPump(SpillLane lane, Lane name, SpillJournal journal, SpillLedger ledger, Link link, SpillReports reports)
{
    private const int KeptScratch = 1 << 20;

    private static readonly SpillNumber Infinite = SpillNumber.At(long.MaxValue);
    private static readonly Task Never = new TaskCompletionSource<bool>().Task;

    private readonly ArrayWriter _head = new(SpillPacket.MostHead);
    private readonly List<WaitingPacket> _waiting = [];
    private ArrayWriter _scratch = new();
    private long _waitingSentTo;   // what the disk had no space for was sent up to here: it comes again once it is written

    /// <summary>Sends until the link has ended.</summary>
    /// <param name="ended">Cancelled when it has.</param>
    public async Task RunAsync(CancellationToken ended)
    {
        try
        {
            _waitingSentTo = ledger.Acknowledged.Position;
            using var source = new SpillSource(journal.Packets, ledger.Acknowledged.Position);
            while (!ended.IsCancellationRequested && await StepAsync(source, ended).ConfigureAwait(false))
            {
            }
        }
        catch (OperationCanceledException) when (ended.IsCancellationRequested)
        {
            // The link has ended.
        }
        catch (Exception defect)
        {
            reports.Report(SpillEvent.AttemptFailed, $"Lane {name}: sending what was spilled failed: {defect.Message}", cause: defect);
            link.Abort(defect.Message);
        }
    }

    /// <returns>False: the link takes nothing more.</returns>
    private async ValueTask<bool> StepAsync(SpillSource source, CancellationToken ended)
    {
        if (source.TryRead(out JournalRecord record))
        {
            long position = record.Position;
            return SpillRecords.IsOne(record.Type) || position <= _waitingSentTo
                || await SendAsync(position, Encode(position, record.Type, record.Body)).ConfigureAwait(false);
        }

        // What an earlier opening left has its number. Anything else would get one that the next opening may give out once more.
        bool isUnnoted = journal.Packets.MayRepeatPositions;
        switch (lane.Settle(out bool isCommitMissing, out Task leftDirect))
        {
            case SpillState.Away:
                return false;
            case SpillState.Direct:
                source.LetGo();   // nothing is read in this state, and it may last
                await EitherAsync(leftDirect, ended).ConfigureAwait(false);
                return true;
            case SpillState.CatchingUp when isUnnoted && ledger.TryPeek(out SpillNumber number, out _) && number <= lane.LastFound:
                return await SendMemoryAsync(lane.LastFound, orThat: true).ConfigureAwait(false);
            case SpillState.CatchingUp when journal.IsWithoutNumbers:
                source.LetGo();
                await EitherAsync(Never, ended).ConfigureAwait(false);
                return true;
            case SpillState.CatchingUp when !isCommitMissing && !isUnnoted:
                return await SendMemoryAsync(Infinite).ConfigureAwait(false);
            case SpillState.CatchingUp when !isUnnoted
                && source.TryCopyWaiting(Math.Max(_waitingSentTo, source.LookedUpTo), _waiting):
                return await SendWaitingAsync().ConfigureAwait(false);
            default:
                if (!await source.WaitAsync(ended).ConfigureAwait(false))
                {
                    lane.GiveUpJournal(source.Trouble);
                }

                return true;
        }
    }

    private static async Task EitherAsync(Task leftDirect, CancellationToken ended)
    {
        var over = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = ended.Register(() => over.TrySetResult(true));
        await Task.WhenAny(leftDirect, over.Task).ConfigureAwait(false);
    }

    /// <summary>Sends what is in memory, was not sent over this link, and has a number below the given one, or that one too.</summary>
    private async ValueTask<bool> SendMemoryAsync(SpillNumber before, bool orThat = false)
    {
        while (ledger.TryPeek(out SpillNumber number, out ReadOnlyMemory<byte> packet) && (number < before || (orThat && number == before)))
        {
            if (await GiveAsync(packet).ConfigureAwait(false) is not { } ordinal)
            {
                return false;
            }

            journal.Consider(ledger.MarkSent(number, ordinal));
            lane.NoteSent();
        }

        return true;
    }

    /// <summary>Sends what was spilled and waits for space on the disk: everything before it was sent, so it needs none.</summary>
    private async ValueTask<bool> SendWaitingAsync()
    {
        foreach (WaitingPacket packet in _waiting)
        {
            if (!SpillRecords.IsOne(packet.Type)
                && !await SendAsync(packet.Position, Encode(packet.Position, packet.Type, packet.Body)).ConfigureAwait(false))
            {
                return false;
            }

            _waitingSentTo = packet.Position;
        }

        _waiting.Clear();
        return true;
    }

    /// <summary>Sends a packet of the journal, behind what is in memory with lower numbers.</summary>
    /// <param name="position">Its position.</param>
    /// <param name="packet">What <see cref="Encode"/> has made of it, valid until that is called again: the journal's own bytes are not on
    /// loan so long.</param>
    private async ValueTask<bool> SendAsync(long position, ReadOnlyMemory<byte> packet)
    {
        if (!await SendMemoryAsync(SpillNumber.At(position)).ConfigureAwait(false))
        {
            return false;
        }

        if (await GiveAsync(packet).ConfigureAwait(false) is not { } ordinal)
        {
            return false;
        }

        if (ordinal > 0)
        {
            journal.Consider(ledger.AddSpilled(position, ordinal));
        }

        lane.NoteSent(position);
        return true;
    }

    private ReadOnlyMemory<byte> Encode(long position, ushort type, ReadOnlySpan<byte> body)
    {
        int length = body.Length;
        if (_scratch.Array.Length > KeptScratch)
        {
            _scratch = new ArrayWriter();
        }

        _scratch.Clear();
        _scratch.GetSpan(SpillPacket.MostHead + length);
        _scratch.Advance(SpillPacket.MostHead + length);
        body.CopyTo(_scratch.Array.AsSpan(SpillPacket.MostHead));
        SpillNumber number = SpillNumber.At(position);
        int at = SpillPacket.PutHead(_scratch.Array, SpillPacket.MostHead, length, _head, journal.Packets.Id, number, type);
        return _scratch.Array.AsMemory(at, SpillPacket.MostHead + length - at);
    }

    /// <summary>Gives a packet to the link, waiting for capacity.</summary>
    /// <returns>Its ordinal in the link's lane; 0: the main node does not take it; null: the link has ended.</returns>
    private async ValueTask<long?> GiveAsync(ReadOnlyMemory<byte> packet)
    {
        try
        {
            long ordinal = await link.Sender.SendCountedAsync(SpillPacket.Type, packet, name).ConfigureAwait(false);
            return ordinal > 0 ? ordinal : null;
        }
        catch (TransportException tooLarge) when (tooLarge.Fault == TransportFault.PacketTooLarge)
        {
            // Skip it: it was queued under a larger limit and can never be sent.
            reports.Report(
                SpillEvent.PacketLost,
                $"Lane {name}: a packet that was spilled earlier is lost, because the main node does not take it. {tooLarge.Message}",
                packets: 1,
                cause: tooLarge);
            return 0;
        }
    }
}
