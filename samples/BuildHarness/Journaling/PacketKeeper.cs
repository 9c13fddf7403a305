using System.Threading;
using System.Threading.Tasks;
using Transport;
using Transport.Journal;

namespace BuildHarness.Journaling;

/// <summary>Keeps one worker's packets in the journal of the command. Bodies are written out, so that each record stands for itself.</summary>
/// <param name="owner">Knows what a failure means.</param>
/// <param name="journal">The journal; null where it could not be opened.</param>
/// <param name="node">The worker.</param>
internal sealed class PacketKeeper(RunJournal owner, PacketJournal? journal, JournalNode node) : IPacketStore
{
    private long _last;

    public ValueTask AppendAsync(RawPacket packet)
    {
        if (journal is null || owner.IsGivenUp)
        {
            return default;
        }

        try
        {
            if (journal.TryAppend(node, packet.Type, packet.Body.Span, out long position) != JournalAppendResult.Queued)
            {
                // No room, or it has failed: this waits, or says why not.
                return TakeAsync(journal.AppendAsync(node, packet.Type, packet.Body.Span));
            }

            Volatile.Write(ref _last, position);
            return default;
        }
        catch (JournalException e) when (IsSurvived(e))
        {
            return default;
        }
    }

    public ValueTask FlushAsync()
    {
        long last = Volatile.Read(ref _last);
        return last == 0 || journal is null || owner.IsGivenUp ? default : WaitAsync(journal.CommitAsync(last));
    }

    /// <summary>Waits for room, and until the packet is safe with it. Only the packet at hand says which is the last.</summary>
    private async ValueTask TakeAsync(ValueTask<long> append)
    {
        try
        {
            Volatile.Write(ref _last, await append.ConfigureAwait(false));
        }
        catch (JournalException e) when (IsSurvived(e))
        {
        }
    }

    private async ValueTask WaitAsync(ValueTask<long> commit)
    {
        try
        {
            await commit.ConfigureAwait(false);
        }
        catch (JournalException e) when (IsSurvived(e))
        {
        }
    }

    /// <summary>Tells of a failure.</summary>
    /// <returns>Whether the work goes on.</returns>
    private bool IsSurvived(JournalException failure)
    {
        owner.Fail(failure);
        return owner.IsGivenUp;
    }
}
