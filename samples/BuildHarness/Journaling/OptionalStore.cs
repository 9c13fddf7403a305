using System.Threading;
using System.Threading.Tasks;
using Transport;
using Transport.Journal;

namespace BuildHarness.Journaling;

/// <summary>Keeps one worker's packets in the journal of the command, or goes on without it if the command may.</summary>
/// <param name="owner">Knows what a failure means.</param>
/// <param name="store">The worker's part of the journal; null if the journal could not be opened.</param>
internal sealed class OptionalStore(RunJournal owner, JournalPacketStore? store) : IPacketStore
{
    public ValueTask AppendAsync(RawPacket packet, CancellationToken cancellationToken)
    {
        if (store is null || owner.IsGivenUp)
        {
            return default;
        }

        try
        {
            ValueTask append = store.AppendAsync(packet, cancellationToken);
            return append.IsCompletedSuccessfully ? default : WaitAsync(append);
        }
        catch (JournalException e) when (IsSurvived(e))
        {
            return default;
        }
    }

    public ValueTask FlushAsync(CancellationToken cancellationToken) =>
        store is null || owner.IsGivenUp ? default : WaitAsync(store.FlushAsync(cancellationToken));

    private async ValueTask WaitAsync(ValueTask task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (JournalException e) when (IsSurvived(e))
        {
        }
    }

    /// <summary>Reports a failure.</summary>
    /// <returns>Whether the work goes on.</returns>
    private bool IsSurvived(JournalException failure)
    {
        owner.Fail(failure);
        return owner.IsGivenUp;
    }
}
