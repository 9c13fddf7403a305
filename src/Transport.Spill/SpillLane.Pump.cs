using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Spill;

/// <content>What was spilled on its way to a link, and what comes back from one that has ended.</content>
internal sealed partial class SpillLane
{
    private const int SaveBatch = 64;

    private readonly ArrayWriter _pumpHead = new(SpillPacket.MostHead);
    private ArrayWriter _pumpScratch = new();
    private SpillNumber _savedTo;   // up to here what was sent directly is in the journal too

    /// <summary>Sends what is not acknowledged, then lets packets go directly, then what is spilled again, until the link has ended.</summary>
    /// <param name="link">The link.</param>
    /// <param name="ended">Cancelled when the link has ended.</param>
    public async Task RunAsync(Link link, CancellationToken ended)
    {
        using var source = new SpillSource(_journal, Acknowledgement.Position);
        try
        {
            while (!ended.IsCancellationRequested)
            {
                if (source.TryRead(out JournalRecord record))
                {
                    if (!SpillRecords.IsOne(record.Type) && !(await SendSavedAsync(link, SpillNumber.At(record.Position)).ConfigureAwait(false) && await SendAsync(link, record).ConfigureAwait(false)))
                    {
                        return;
                    }

                    continue;
                }

                switch (Settle(link, out Task spilled))
                {
                    case SpillStand.Behind when !await source.WaitAsync(ended).ConfigureAwait(false):
                        GiveUpJournal(source.Trouble);
                        break;
                    case SpillStand.Bridged when !await SendSavedAsync(link, new SpillNumber(long.MaxValue, 0, 0)).ConfigureAwait(false):
                        return;
                    case SpillStand.Direct:
                        using (ended.Register(Wake))
                        {
                            await spilled.ConfigureAwait(false);
                        }

                        break;
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The link has ended.
        }
        catch (Exception defect)
        {
            _reports.Tell(SpillEvent.AttemptFailed, $"Lane {_lane}: sending what was spilled failed: {defect.Message}", cause: defect);
            link.Abort(defect.Message);
        }
    }

    /// <summary>The link has ended and nothing runs for it any more: what it was given and the main node has not acknowledged comes again with the next one. What had not been spilled is put into the journal now, in case this process does not live so long.</summary>
    public async Task DetachAsync(Link link)
    {
        lock (_gate)
        {
            _beganWhy = LinkEnded;
            _direct = null;
            Unbridge();
        }

        SpillNumber acknowledged = Acknowledgement;
        var saved = new Queue<SavedPacket>();
        link.TakeUnacknowledged(_lane, (type, packet) =>
        {
            if (type == SpillPacket.Type && SpillPacket.NumberOf(packet) is { IsDirect: true } number && number > acknowledged)
            {
                saved.Enqueue(new SavedPacket(number, packet.ToArray()));
            }
        });
        foreach (SavedPacket unsent in _saved)
        {
            saved.Enqueue(unsent);
        }

        lock (_gate)
        {
            _saved = saved;
            _sentTo = acknowledged.Position;
        }

        await SaveAsync(saved).ConfigureAwait(false);
    }

    private async Task SaveAsync(Queue<SavedPacket> saved)
    {
        var batch = new List<JournalPacket>(SaveBatch);
        int left = saved.Count;
        try
        {
            foreach (SavedPacket packet in saved)
            {
                left--;
                if (packet.Number > _savedTo)
                {
                    batch.Add(new JournalPacket(_node, SpillRecords.Saved, packet.Packet));
                    _savedTo = packet.Number;
                }

                if (batch.Count == SaveBatch || (left == 0 && batch.Count > 0))
                {
                    await _journal.AppendAsync(batch.ToArray()).ConfigureAwait(false);
                    batch.Clear();
                }
            }
        }
        catch (JournalException e)
        {
            _reports.Tell(
                SpillEvent.JournalFull,
                $"Lane {_lane}: {left + batch.Count} packets of the link that ended could not be put into the journal. They are in memory, and are sent when there is a link; if this process ends before, they are lost. {e.Message}",
                e,
                left + batch.Count);
        }
    }

    /// <summary>Sends what was sent directly over an earlier link and has a number below the given one.</summary>
    private async ValueTask<bool> SendSavedAsync(Link link, SpillNumber before)
    {
        CrossBridge();
        while (_saved.Count > 0 && _saved.Peek().Number < before)
        {
            SavedPacket packet = _saved.Peek();
            if (packet.Number > Acknowledgement && !await GiveAsync(link, packet.Packet).ConfigureAwait(false))
            {
                return false;
            }

            _saved.Dequeue();
            lock (_gate)
            {
                _sentLater++;
            }
        }

        return true;
    }

    private async ValueTask<bool> SendAsync(Link link, JournalRecord record)
    {
        int length = record.Body.Length;
        if (_pumpScratch.Array.Length > KeptScratch)
        {
            _pumpScratch = new ArrayWriter();
        }

        _pumpScratch.Clear();
        _pumpScratch.GetSpan(SpillPacket.MostHead + length);
        _pumpScratch.Advance(SpillPacket.MostHead + length);
        record.Body.CopyTo(_pumpScratch.Array.AsMemory(SpillPacket.MostHead));
        int at = SpillPacket.PutHead(_pumpScratch.Array, SpillPacket.MostHead, length, _pumpHead, _journal.Id, SpillNumber.At(record.Position), record.Type);
        if (!await GiveAsync(link, _pumpScratch.Array.AsMemory(at, SpillPacket.MostHead + length - at)).ConfigureAwait(false))
        {
            return false;
        }

        lock (_gate)
        {
            _sentTo = record.Position;
            _sentLater++;
            if (record.Position > _givenTo)
            {
                _givenTo = record.Position;
                _waiting--;
            }
        }

        return true;
    }

    /// <summary>Gives a packet to the link, waiting for room.</summary>
    /// <returns>False where the link has ended.</returns>
    private async ValueTask<bool> GiveAsync(Link link, ReadOnlyMemory<byte> packet)
    {
        try
        {
            return await link.SendSpilledAsync(packet, _lane).ConfigureAwait(false) == SendResult.Queued;
        }
        catch (TransportException tooLarge) when (tooLarge.Fault == TransportFault.PacketTooLarge)
        {
            // Of an opening that took larger ones. It would stand in everybody's way for ever.
            _reports.Tell(SpillEvent.PacketLost, $"Lane {_lane}: a packet that was spilled earlier is lost, because the main node does not take it. {tooLarge.Message}", packets: 1, cause: tooLarge);
            return true;
        }
    }

    /// <summary>Everything that is committed has been sent: sees where the lane stands. Lets packets go to the link directly, where everything before them has gone there.</summary>
    /// <param name="link">The link.</param>
    /// <param name="spilled">Where it is direct: completes when something was spilled again.</param>
    private SpillStand Settle(Link link, out Task spilled)
    {
        lock (_gate)
        {
            spilled = Task.CompletedTask;
            _isBridging = true;
            if (_sentTo < _spilledTo)
            {
                return SpillStand.Behind;
            }

            if (_saved.Count + _bridge.Count > 0)
            {
                return SpillStand.Bridged;
            }

            _isBridging = false;
            _beganWhy = null;
            _direct = link;
            _wake = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            spilled = _wake.Task;
            if (_beganTold)
            {
                _beganTold = false;
                _reports.Tell(SpillEvent.SpillingEnded, $"Lane {_lane}: everything that was spilled has been sent; {_spilledCount} packets so far.");
            }

            return SpillStand.Direct;
        }
    }

    private void Wake()
    {
        lock (_gate)
        {
            _wake?.TrySetResult(true);
        }
    }

    /// <summary>Nothing more comes out of the journal: what is in there and was not sent is lost to this process.</summary>
    private void GiveUpJournal(JournalException why)
    {
        lock (_gate)
        {
            if (_journal.Failure is null)
            {
                TellUnreadable(why);
            }
            else
            {
                TellFailed(why);
            }

            // Nobody waits for the acknowledgement of what will not be sent.
            _isIncomplete |= _sentTo < _spilledTo;
            SpillNumber sent = SpillNumber.At(_sentTo);
            _last = _saved.Concat(_bridge).Select(static packet => packet.Number).Concat([sent]).Max();
            _sentTo = _spilledTo;
        }
    }

    /// <summary>The journal takes what it is given, and cannot be read. What is in there stays there: nothing is noted as acknowledged any more, nor dropped. Under the gate.</summary>
    private void TellUnreadable(JournalException why)
    {
        if (_failed)
        {
            return;
        }

        _failed = _isUnreadable = true;
        long unsent = _waiting + Math.Max(0, _givenTo - _sentTo);
        _reports.Tell(
            SpillEvent.JournalFailed,
            $"Lane {_lane}: the journal in {_journal.Directory} cannot be read, and up to {unsent} packets in it are not sent. They stay there: close this sender, look at the disk, and read them with a JournalReader (PastDamage). What finds no room is answered Full from now on. {why.Message}",
            why,
            unsent);
    }
}
