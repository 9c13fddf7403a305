using System;
using Transport.Journal;

namespace Transport.Spill;

/// <content>What is told of what earlier openings left: nothing that they had taken is missing without a word.</content>
internal sealed partial class SpillLane
{
    private void TellFound(SpillFindings findings)
    {
        JournalRecovery recovery = _journal.Recovery;
        if (recovery.SetAside is { } aside)
        {
            long left = SpillRecords.CountSound(aside);
            TellDamaged($"{recovery.Line} Of what can still be read there, {left} packets are not known to be acknowledged; they are not sent. Read them with a JournalReader (PastDamage) of {aside}.", left);
            return;
        }

        if (recovery.IsShortened)
        {
            TellDamaged($"{recovery.Line} How many packets stood there is not known; the rest is sent.", 0);
        }
        else if (recovery.Line is { } line)
        {
            _reports.Tell(SpillEvent.JournalRepaired, $"Lane {_lane}: {line} What is in it and not acknowledged is sent, {Found} packets; what the earlier sender had in memory alone is lost.", packets: Found);
        }

        // What is dropped was noted as acknowledged before.
        (long sequence, long first) = _journal.Oldest;
        long missing = first - 1 - findings.Acknowledged.Position;
        if (sequence > 1 && missing > 0)
        {
            TellDamaged(
                $"The journal in {_journal.Directory} begins at position {first}, and notes as acknowledged what is up to {findings.Acknowledged.Position}: its oldest files were taken away, with up to {missing} packets that may never have arrived. "
                + "(Or the earlier sender was killed just as it made room in a full journal.) The rest is sent. If there is a copy of those files, read it with a JournalReader.",
                missing);
        }
    }

    private void TellDamaged(string message, long packets) =>
        _reports.Tell(SpillEvent.JournalDamaged, $"Lane {_lane}: {message}", new JournalException(JournalFault.Damaged, message), packets);
}
