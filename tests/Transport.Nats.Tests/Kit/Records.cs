using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;

namespace Transport.Nats.Tests.Kit;

/// <summary>What the tests write into journals, and what they find in others.</summary>
internal static class Records
{
    /// <summary>The longest that anything may take.</summary>
    public static readonly TimeSpan Bound = TimeSpan.FromSeconds(60);

    /// <summary>Appends numbered packets.</summary>
    /// <param name="journal">The journal.</param>
    /// <param name="first">The first number.</param>
    /// <param name="count">How many.</param>
    /// <param name="bytes">The bytes of each body, at least 8.</param>
    public static async Task AppendAsync(PacketJournal journal, int first, int count, int bytes = 64)
    {
        JournalNode[] nodes = [new("n1"), new("n2")];
        byte[] body = new byte[bytes];
        for (int number = first; number < first + count; number++)
        {
            new Random(number).NextBytes(body.AsSpan(8));
            BitConverter.TryWriteBytes(body, (long)number);
            while (journal.TryAppend(nodes[number % 2], (ushort)(1024 + (number % 3)), body, out _) != SendResult.Queued)
            {
                await journal.CommitAsync(journal.Appended);
            }
        }

        await journal.CommitAsync(journal.Appended);
    }

    /// <summary>Reads a journal: node, type, time and body of each packet, without its position.</summary>
    public static IReadOnlyList<(string Node, ushort Type, DateTimeOffset Time, string Body)> Of(string directory)
    {
        using JournalReader reader = JournalReader.Open(directory);
        List<(string Node, ushort Type, DateTimeOffset Time, string Body)> all = [];
        while (reader.TryRead(out JournalRecord record))
        {
            all.Add((record.Node, record.Type, record.Time, Convert.ToHexString(record.Body)));
        }

        return all;
    }

    /// <summary>Waits for a condition of the world outside.</summary>
    public static Task UntilAsync(Func<bool> condition, Func<string> state) => Wait.UntilAsync(condition, state, (int)Bound.TotalSeconds);

    /// <summary>Waits until a receiver has a journal up to a position.</summary>
    public static async Task<ReceivedJournal> WaitAsync(JournalReceiver receiver, Guid journal, long position)
    {
        ReceivedJournal? found = null;
        await UntilAsync(
            () => receiver.Completion.IsFaulted
                || ((found = receiver.Status.Journals.FirstOrDefault(one => one.Id == journal)) is { } one && one.Position >= position),
            () => $"received {found?.Position} of {position}; {receiver.Status.Problem} {found?.Problem}");
        if (receiver.Completion.IsFaulted)
        {
            await receiver.Completion;
        }

        return found!;
    }
}
