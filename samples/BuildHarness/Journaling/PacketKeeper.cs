using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.Receiving;

namespace BuildHarness.Journaling;

/// <summary>Keeps one worker's packets in the journal of the command. Bodies are written out, so that each record stands for itself.</summary>
/// <param name="owner">Knows what a failure means.</param>
/// <param name="journal">The journal; null where it could not be opened.</param>
/// <param name="node">The worker.</param>
internal sealed class PacketKeeper(RunJournal owner, Journal? journal, JournalNode node) : IPacketKeeper
{
    private long _last;

    public ValueTask KeepAsync(RawPacket packet)
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
                return WaitAsync(journal.AppendAsync(node, packet.Type, packet.Body.Span));
            }

            Volatile.Write(ref _last, position);
            return default;
        }
        catch (JournalException e)
        {
            owner.Fail(e);
            if (!owner.IsGivenUp)
            {
                throw;
            }

            return default;
        }
    }

    public ValueTask SecureAsync()
    {
        long last = Volatile.Read(ref _last);
        return last == 0 || journal is null || owner.IsGivenUp ? default : WaitAsync(journal.CommitAsync(last));
    }

    private async ValueTask WaitAsync(ValueTask<long> commit)
    {
        try
        {
            // Two at a time: one that waits for room, and the one before it that is asked for by the link.
            long position = await commit.ConfigureAwait(false);
            Volatile.Write(ref _last, System.Math.Max(position, Volatile.Read(ref _last)));
        }
        catch (JournalException e)
        {
            owner.Fail(e);
            if (!owner.IsGivenUp)
            {
                throw;
            }
        }
    }
}
