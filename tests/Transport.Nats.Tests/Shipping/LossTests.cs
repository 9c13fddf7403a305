using System;
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
    public async Task What_nobody_sends_again_is_a_gap_and_all_else_arrives()
    {
        await using Fleet fleet = await Fleet.StartAsync();
        await using (JournalShipper shipper = fleet.Ship(options => options.BlockBytes = 4 << 10))
        {
            await Records.AppendAsync(fleet.Journal, 1, 2_000);
            await Records.UntilAsync(() => shipper.Status.Published == 2_000, () => $"{shipper.Status}");
        }

        await DeleteAsync(fleet, 3);
        await using JournalReceiver receiver = fleet.Receive(options => options.GapPatience = TimeSpan.FromSeconds(1));
        ReceivedJournal received = await Records.WaitAsync(receiver, fleet.Journal.Id, 2_000);
        JournalGap gap = received.Gaps.Single();
        var expected = Records.Of(fleet.SourcePath).Where((_, index) => index + 1 < gap.From || index + 1 > gap.To);
        Assert.That(Records.Of(received.Directory), Is.EqualTo(expected));
        Assert.That(fleet.Lines, Has.Some.Contains(FormattableString.Invariant($"overtaken from position {gap.From} to {gap.To}")));
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
