using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats.Tests.Kit;

namespace Transport.Nats.Tests.Shipping;

/// <summary>Blocks that the server has lost: they are sent again, or they are a gap that is named.</summary>
internal sealed class LossTests
{
    [Test]
    public async Task Blocks_that_were_deleted_from_the_stream_are_asked_for_and_come_again()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship(options => options.BlockBytes = 4 << 10);
        await Records.AppendAsync(fleet.Journal, 1, 2_000);
        await Records.UntilAsync(() => shipper.Status.Published == 2_000, () => $"{shipper.Status}");
        await DeleteAsync(fleet, 3, 4, 9);
        await using JournalReceiver receiver = fleet.Receive();
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 2_000);
        Assert.That(received.Gaps, Is.Empty);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    [Test]
    public async Task What_is_asked_for_comes_from_a_shipper_that_began_after_another_had_sent_it()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await PublishAsync(fleet);
        await DeleteAsync(fleet, 3, 4);
        await using JournalReceiver receiver = fleet.Receive();
        await Records.UntilAsync(
            () => receiver.Status.Journals.Any(one => one.Problem is not null), () => $"{receiver.Status}");
        await using JournalShipper second = fleet.Ship(options => options.BlockBytes = 4 << 10);
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 2_000);
        Assert.That(received.Gaps, Is.Empty, "the server takes what the second sends for what the first has sent");
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    [Test]
    public async Task What_nobody_sends_again_is_a_gap_and_all_else_arrives()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await PublishAsync(fleet);
        await DeleteAsync(fleet, 3);
        await using JournalReceiver receiver = fleet.Receive(options => options.GapPatience = TimeSpan.FromSeconds(1));
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 2_000);
        JournalGap gap = received.Gaps.Single();
        var expected = Records.Of(fleet.SourcePath).Where((_, index) => index + 1 < gap.From || index + 1 > gap.To);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(expected));
        Assert.That(fleet.Lines, Has.Some.Contains(FormattableString.Invariant($"overtaken from position {gap.From} to {gap.To}")));

        await fleet.Journal.CloseAsync();
        await using JournalShipper last = fleet.Ship();
        await Records.UntilAsync(() => last.Completion.IsCompleted, () => $"{last.Status}");
        Assert.That(last.Status.Received, Is.EqualTo(2_000));
        Assert.That(last.Status.MissedByReceiver, Is.EqualTo(gap.To - gap.From + 1), "what the receiver gave up is not said to be there");
    }

    [Test]
    public async Task A_shipper_whose_watch_the_server_has_forgotten_hears_the_receiver()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await Records.AppendAsync(fleet.Journal, 1, 2_000);
        await Records.UntilAsync(() => shipper.Status.Published == 2_000, () => $"{shipper.Status}");
        var jetStream = new NatsJSContext(fleet.Connection);
        int forgotten = 0;
        await foreach (INatsJSConsumer watch in jetStream.ListConsumersAsync("KV_TRANSPORT_positions"))
        {
            forgotten += await jetStream.DeleteConsumerAsync("KV_TRANSPORT_positions", watch.Info.Name) ? 1 : 0;
        }

        Assert.That(forgotten, Is.EqualTo(1));
        await fleet.Journal.CloseAsync();
        await using JournalReceiver receiver = fleet.Receive();
        var time = Stopwatch.StartNew();
        await Records.UntilAsync(() => shipper.Completion.IsCompleted, () => $"{shipper.Status}");
        TestContext.Out.WriteLine($"heard after {time.Elapsed}");
        Assert.That(time.Elapsed, Is.LessThan(TimeSpan.FromSeconds(8)), "its client makes the watch anew after more than that");
        Assert.That(shipper.Status.MissedByReceiver, Is.Zero);
    }

    [Test]
    public async Task A_gap_that_a_killed_receiver_had_noted_and_not_passed_is_none_if_its_packets_come()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await Records.AppendAsync(fleet.Journal, 1, 1_000);
        string directory;
        await using (JournalReceiver first = fleet.Receive())
        {
            directory = (await Records.WaitAsync(first, fleet.Journal.Id, 1_000)).Directory;
        }

        await File.AppendAllTextAsync(Path.Combine(directory, "origin"), "gap 1001 1500 given up\n");
        await Records.AppendAsync(fleet.Journal, 1_001, 1_000);
        await fleet.Journal.CloseAsync();
        await using JournalReceiver second = fleet.Receive();
        ReceivedJournal received = await Records.WaitAsync(second, fleet.Journal.Id, 2_000);
        Assert.That(received.Gaps, Is.Empty);
        await Records.UntilAsync(() => shipper.Completion.IsCompleted, () => $"{shipper.Status}");
        Assert.That(shipper.Status.MissedByReceiver, Is.Zero);
        Assert.That(Records.Of(directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    [Test]
    public async Task A_receiver_that_the_stream_has_overtaken_gets_from_the_journal_what_the_stream_has_dropped()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship(options => options.Stream.MaxBytes = 1 << 20);
        await Records.AppendAsync(fleet.Journal, 1, 20_000, bytes: 256);
        await Records.UntilAsync(() => shipper.Status.Published == 20_000, () => $"{shipper.Status}");
        await using JournalReceiver receiver = fleet.Receive(options => options.GapPatience = TimeSpan.FromSeconds(1));
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 20_000);
        TestContext.Out.WriteLine(string.Join("\n", fleet.Lines));
        (long missed, int there) = (received.Gaps.Sum(gap => gap.To - gap.From + 1), Records.Of(received.Directory).Count);
        Assert.That(there + missed, Is.EqualTo(20_000), "each packet is here, or in a gap");
    }

    [Test]
    public async Task A_server_whose_data_was_rolled_back_gets_the_rest_again()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using JournalShipper shipper = fleet.Ship();
        await using JournalReceiver receiver = fleet.Receive();
        await Records.AppendAsync(fleet.Journal, 1, 5_000);
        _ = await Records.WaitAsync(receiver, fleet.Journal.Id, 5_000);
        await fleet.Server.KillAsync();
        string copy = fleet.Server.Data + ".copy";
        Copy(fleet.Server.Data, copy);
        await fleet.Server.StartAgainAsync();
        await Records.AppendAsync(fleet.Journal, 5_001, 5_000);
        _ = await Records.WaitAsync(receiver, fleet.Journal.Id, 10_000);
        await receiver.DisposeAsync();
        await Records.AppendAsync(fleet.Journal, 10_001, 5_000);
        await Records.UntilAsync(() => shipper.Status.Published == 15_000, () => $"{shipper.Status}");
        await fleet.Server.KillAsync();
        Directory.Delete(fleet.Server.Data, recursive: true);
        Directory.Move(copy, fleet.Server.Data);
        await fleet.Server.StartAgainAsync();
        await Records.AppendAsync(fleet.Journal, 15_001, 1_000);
        await using JournalReceiver again = fleet.Receive();
        ReceivedJournal received = await Records.WaitAsync(again, fleet.Journal.Id, 16_000);
        TestContext.Out.WriteLine(string.Join("\n", fleet.Lines));
        Assert.That(received.Gaps, Is.Empty);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    [Test]
    public async Task A_server_whose_stream_takes_no_more_is_waited_for()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        var jetStream = new NatsJSContext(fleet.Connection);
        var config = new StreamConfig("TRANSPORT", ["transport.journal.>"])
        {
            MaxBytes = 1 << 20, Discard = StreamConfigDiscard.New, Storage = StreamConfigStorage.File,
        };
        await jetStream.CreateStreamAsync(config);
        await using JournalShipper shipper = fleet.Ship();
        await Records.AppendAsync(fleet.Journal, 1, 20_000, bytes: 256);
        await Records.UntilAsync(() => shipper.Status.Problem is not null, () => $"{shipper.Status}");
        Assert.That(shipper.Status.Problem, Does.Contain("maximum bytes exceeded"));
        await using JournalReceiver receiver = fleet.Receive();
        _ = await Records.WaitAsync(receiver, fleet.Journal.Id, 1);
        config.MaxBytes = 1 << 30;
        await jetStream.UpdateStreamAsync(config);
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 20_000);
        Assert.That(received.Gaps, Is.Empty);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(Records.Of(fleet.SourcePath)));
    }

    /// <summary>Has a shipper, which then ends, bring 2,000 packets in small blocks to the server.</summary>
    private static async Task PublishAsync(Fleet fleet)
    {
        await using JournalShipper shipper = fleet.Ship(options => options.BlockBytes = 4 << 10);
        await Records.AppendAsync(fleet.Journal, 1, 2_000);
        await Records.UntilAsync(() => shipper.Status.Published == 2_000, () => $"{shipper.Status}");
    }

    private static async Task DeleteAsync(Fleet fleet, params ulong[] messages)
    {
        INatsJSStream stream = await new NatsJSContext(fleet.Connection).GetStreamAsync("TRANSPORT");
        foreach (ulong message in messages)
        {
            await stream.DeleteMessageAsync(new StreamMsgDeleteRequest { Seq = message });
        }
    }

    private static void Copy(string from, string to)
    {
        foreach (string file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            string target = Path.Combine(to, Path.GetRelativePath(from, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }
}
