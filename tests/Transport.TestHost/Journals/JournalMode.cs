using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using Transport.Files;
using Transport.Journal;
using Transport.TestHost.Trees;
using Transport.Testing;

namespace Transport.TestHost.Journals;

/// <summary>
/// Another process at a journal. <c>journal hold DIR</c> opens it for writing, says "open" and stays; if that is refused it says the fault
/// and ends with 3. <c>journal write DIR SYNC SEGMENT FIRST</c> appends numbered packets, says the number of each one that is acknowledged,
/// and goes on until it is killed. <c>journal linked DIR SEGMENT</c> does the same by a link that keeps what comes in the journal, with both
/// ends in this process: what it says is what was acknowledged to the sender. <c>journal check DIR UPTO</c> reads what is there and says
/// "valid" if the packets up to that number are there, in order, once (the device cuts use it). <c>journal follow DIR</c> follows it to its
/// end and says what it saw: "read N last L compacted C end CONDITION"; "wrong ..." and 4 if a packet is not the one that it must be.
/// <c>journal few DIR BACKEND [LEFT]</c> writes 8,000 packets with that many descriptors left.
/// </summary>
internal static class JournalMode
{
    private const int Length = 300;
    private const int Refused = 3;
    private const int Wrong = 4;
    private const int Reported = 200;

    public static async Task<int> RunAsync(string[] args)
    {
        try
        {
            return args[1] switch
            {
                "hold" => Hold(args[2]),
                "write" => Write(args[2], (JournalSync)Enum.Parse(typeof(JournalSync), args[3]), Number(args[4]), Number(args[5])),
                "linked" => await LinkedAsync(args[2], Number(args[3])).ConfigureAwait(false),
                "few" => await FewAsync(
                    args[2], (JournalBackEnd)Enum.Parse(typeof(JournalBackEnd), args[3]), args.Length > 4 ? args[4] : null)
                    .ConfigureAwait(false),
                "check" => Check(args[2], Number(args[3])),
                _ => await FollowAsync(args[2]).ConfigureAwait(false),
            };
        }
        catch (JournalException e)
        {
            Say(e.Fault.ToString());
            return Refused;
        }
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    private static void Say(FormattableString text) => Say(text.ToString(CultureInfo.InvariantCulture));

    private static void Say(string text)
    {
        Console.Out.WriteLine(text);
        Console.Out.Flush();
    }

    private static int Hold(string directory)
    {
        using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions());
        Say("open");
        new ManualResetEventSlim().Wait();
        return 0;
    }

    private static int Write(string directory, JournalSync sync, long segment, long first)
    {
        var options = new JournalOptions { Sync = sync, SegmentBytes = segment, DropOldestWhenFull = true };
        using PacketJournal journal = PacketJournal.Open(directory, options);
        for (long number = first; ; number++)
        {
            _ = journal.Append(number, Length);
            Say($"{number}");
        }
    }

    private static async Task<int> LinkedAsync(string directory, long segment)
    {
        const int Window = 16;
        var options = new JournalOptions { SegmentBytes = segment, DropOldestWhenFull = true };
        using PacketJournal journal = PacketJournal.Open(directory, options);
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket);
        LinkTicket ticket = listener.Expect("sender");
        await using Link sender = await Link.ConnectAsync(listener.Endpoint, ticket.Secret).ConfigureAwait(false);
        Link keeper = await ticket.WaitForLinkAsync().ConfigureAwait(false);
        keeper.Start(new PacketRouter().UseStore(new JournalPacketStore(journal, Numbered.Node)));
        sender.Start(new PacketRouter());
        for (long number = 1; ; number++)
        {
            _ = sender.TrySendRaw(1024, Numbered.Packed(number, 250));
            if (number % Window != 0)
            {
                continue;
            }

            if (!await sender.WaitForAcknowledgedAsync().ConfigureAwait(false))
            {
                Say((await sender.Completion.ConfigureAwait(false)).Reason);
                return Wrong;
            }

            for (long said = number - Window + 1; said <= number; said++)
            {
                Say($"{said}");
            }
        }
    }

    private static async Task<int> FewAsync(string directory, JournalBackEnd backEnd, string? left)
    {
        if (left is not null)
        {
            await WriteSomeAsync(directory + ".first", backEnd).ConfigureAwait(false);
            _ = FewDescriptors.Leave(new UnixCalls(), (int)Number(left));
        }

        try
        {
            await WriteSomeAsync(directory, backEnd).ConfigureAwait(false);
            return 0;
        }
        catch (JournalException e)
        {
            Say(e.Message);
            throw;
        }
    }

    private static async Task WriteSomeAsync(string directory, JournalBackEnd backEnd)
    {
        var options = new JournalOptions { SegmentBytes = 1 << 20, BackEnd = backEnd };
        PacketJournal journal = PacketJournal.Open(directory, options);
        await using (journal.ConfigureAwait(false))
        {
            Say($"open {journal.BackEnd}: {journal.BackEndReason}");
            for (long number = 1; number <= 8000; number++)
            {
                ValueTask<long> appended = journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(number, Length));
                if (number % 100 == 0)
                {
                    _ = await appended.ConfigureAwait(false);
                }
            }

            await journal.CloseAsync().ConfigureAwait(false);
            Say("appended");
        }

        Say("closed");
    }

    private static int Check(string directory, long upTo)
    {
        using (PacketJournal journal = PacketJournal.Open(directory, new JournalOptions()))
        {
            if (journal.Recovery.Line is { } line)
            {
                Say(line);
            }
        }

        using var reader = JournalReader.Open(directory);
        long next = 1;
        foreach ((_, long number) in reader.ReadAll())
        {
            if (number != next++)
            {
                Say($"wrong: {number} where {next - 1} is due");
                return Wrong;
            }
        }

        bool isThere = next > upTo;
        Say(isThere ? "valid" : $"lost: acknowledged up to {upTo}, there up to {next - 1}");
        return isThere && PacketJournal.Verify(directory).IsValid ? 0 : Wrong;
    }

    private static async Task<int> FollowAsync(string directory)
    {
        long due = 0, read = 0, compacted = 0;
        while (true)
        {
            try
            {
                using var reader = JournalReader.Open(directory, new JournalReaderOptions
                {
                    Follow = true, From = due, PollInterval = TimeSpan.FromMilliseconds(5),
                });
                do
                {
                    while (reader.TryRead(out JournalRecord record))
                    {
                        if ((due > 0 && record.Position != due) || Numbered.NumberOf(record) != record.Position)
                        {
                            Say($"wrong: position {record.Position}, number {Numbered.NumberOf(record)}, where {due} is due");
                            return Wrong;
                        }

                        due = record.Position + 1;
                        if (++read % Reported == 1)
                        {
                            Say($"at {record.Position}");
                        }
                    }
                }
                while (await reader.WaitAsync(CancellationToken.None).ConfigureAwait(false));
                Say($"read {read} last {due - 1} compacted {compacted} end {reader.Condition}");
                return 0;
            }
            catch (JournalException e) when (e.Fault == JournalFault.Compacted)
            {
                compacted++;
                due = e.OldestPosition;
            }
        }
    }
}
