using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;
using Transport.Testing.Clock;

namespace Transport.Nats.Tests.Receiving;

/// <summary>How long a receiver waits for what is missing, and how often it asks.</summary>
internal sealed class MissingTests
{
    private static readonly Guid Id = new("0f3c1a2b-4d5e-6f70-8192-a3b4c5d6e7f8");

    private readonly ManualClock _clock = new();
    private readonly List<string> _lines = [];
    private TemporaryFolder _folder;
    private ReceiverBooks _books;

    private IncomingJournal Journal => _books.Of("m1", Id);

    [SetUp]
    public async Task Miss()
    {
        _folder = new TemporaryFolder();
        _books = new ReceiverBooks(_folder.Path, new ReceiverOptions
        {
            GapPatience = TimeSpan.FromSeconds(30),
            TimeProvider = _clock,
            ConfigureJournal = journal => journal.TimeProvider = TimeProvider.System,
            Report = _lines.Add,
        });
        await TakeAsync(1, 10);
        await TakeAsync(101, 110);
        await _books.SettleMissingAsync();
        Assert.That(Journal.Asked, Is.Not.Zero);
    }

    [TearDown]
    public async Task Close()
    {
        await _books.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task As_long_as_an_answer_comes_nothing_is_given_up()
    {
        for (int position = 11; position < 101; position += 10)
        {
            int asked = Journal.Asked;
            await AfterAsync(14);
            Assert.That(Journal.Asked, Is.EqualTo(asked), "it is being answered");
            await TakeAsync(position, position + 9);
        }

        Assert.That(Journal.Last, Is.EqualTo(110));
        Assert.That(Journal.IsMissing, Is.False);
        Assert.That(Journal.Asked, Is.Zero);
        Assert.That(Journal.Gaps, Is.Empty);
        Assert.That(_lines, Is.Empty);
    }

    [Test]
    public async Task A_question_without_an_answer_is_asked_once_more()
    {
        int first = Journal.Asked;
        await AfterAsync(14);
        Assert.That(Journal.Asked, Is.EqualTo(first));
        await AfterAsync(1);
        Assert.That(Journal.Asked, Is.Not.EqualTo(first).And.Not.Zero);
        int second = Journal.Asked;
        await AfterAsync(14);
        Assert.That(Journal.Asked, Is.EqualTo(second));
    }

    [Test]
    public async Task What_does_not_come_in_time_is_given_up()
    {
        await AfterAsync(15);
        await AfterAsync(15);
        Assert.That(Journal.Gaps.Select(gap => (gap.From, gap.To)), Is.EqualTo(new[] { (11L, 100L) }));
        Assert.That(Journal.Missed, Is.EqualTo(90));
        Assert.That((Journal.Last, Journal.Asked), Is.EqualTo((110, 0)));
        Assert.That(_lines, Has.Count.EqualTo(1).And.Some.Contains("overtaken from position 11 to 100"));
    }

    private async Task AfterAsync(int seconds)
    {
        _clock.Advance(TimeSpan.FromSeconds(seconds));
        await _books.SettleMissingAsync();
    }

    private async Task TakeAsync(long first, long last)
    {
        int size = BlockRecord.HeadSize + 3;
        byte[] content = new byte[size * (last - first + 1)];
        for (long position = first; position <= last; position++)
        {
            var record = new JournalRecord(position, DateTimeOffset.UnixEpoch, "n1", 1024, new byte[] { 1 });
            BlockRecord.Write(record, content.AsSpan((int)(position - first) * size, size));
        }

        await Journal.TakeAsync(
            new BlockHeader(Id, first - 1, first, last, (int)(last - first + 1), content.Length, 0, 1, IsCompressed: false), content);
    }
}
