using System;
using System.Collections.Generic;
using NUnit.Framework;

namespace Transport.Tests.Receiving;

/// <summary>The memory into which a link reads, also from a source that gives more than was asked for.</summary>
internal sealed class ReceiveWindowTests
{
    [Test]
    public void A_source_that_gives_more_than_was_asked_for_is_not_asked_at_each_read()
    {
        var source = new GenerousSource(256 << 10);
        var window = new ReceiveWindow(new SourcePool(source), []);
        for (int i = 0; i < 2_000; i++)
        {
            window.Add(i % 7 == 0 ? 20_000 : 100);
            window.Keep(window.End);
            if (i % 3 == 0)
            {
                window.Shrink();
            }
        }

        Assert.That(source.Rents, Is.LessThanOrEqualTo(2_000 / 7 * 2), "small reads rent nothing, large ones grow it at most");
        int before = source.Rents;
        for (int i = 0; i < 2_000; i++)
        {
            window.Add(100);
            window.Keep(window.End);
            window.Shrink();
        }

        Assert.That(source.Rents - before, Is.LessThanOrEqualTo(1));
        window.Return();
        Assert.That(source.Out, Is.Zero);
    }

    [Test]
    public void It_grows_while_reads_fill_it_shrinks_when_little_comes_and_keeps_what_is_left()
    {
        var window = new ReceiveWindow(new ShelfPool(1 << 20), [1, 2, 3]);
        var sizes = new List<int> { window.Array.Length };
        for (int i = 0; i < 4; i++)
        {
            window.Add(window.Capacity);
            window.Array[window.End - 1] = 42;
            window.Keep(window.End - 1);
            Assert.That((window.End, window.Array[0]), Is.EqualTo((1, (byte)42)));
            sizes.Add(window.Array.Length);
        }

        Assert.That(sizes, Is.EqualTo(new[] { 4 << 10, 16 << 10, 64 << 10, 256 << 10, 256 << 10 }));
        window.Keep(1);
        Assert.That(window.Array, Has.Length.EqualTo(128 << 10), "little came");
        window.Shrink();
        Assert.That(window.Array, Has.Length.EqualTo(4 << 10));
        window.Return();
    }

    [Test]
    public void A_buffer_that_is_too_small_is_given_back()
    {
        var source = new GenerousSource(100);
        Assert.That(() => new SourcePool(source).Rent(4096), Throws.InvalidOperationException.With.Message.Contains("gave 100"));
        Assert.That(source.Out, Is.Zero);
    }

    /// <summary>Gives blocks of one size, whatever is asked for.</summary>
    private sealed class GenerousSource(int size) : IBufferSource
    {
        public int Rents { get; private set; }

        public int Out { get; private set; }

        public RentedBuffer Rent(int atLeast)
        {
            Rents++;
            Out++;
            return new RentedBuffer(new byte[size]);
        }

        public void Return(RentedBuffer buffer) => Out--;

        public void Trim()
        {
        }
    }
}
