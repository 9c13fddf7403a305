using NUnit.Framework;

namespace Transport.Journal.Tests.Stores;

/// <summary>A direct write that the system ends early: what is written next begins at a whole block, or the kernel refuses it.</summary>
internal sealed class BlockWriteTests
{
    [TestCase(1, 0)]
    [TestCase(512, 0)]
    [TestCase(4095, 0)]
    [TestCase(4096, 4096)]
    [TestCase(4608, 4096)]
    [TestCase(12_287, 8192)]
    public void A_short_write_goes_on_at_a_whole_block(int written, int done)
    {
        var write = new BlockWrite(8192, 12_288);
        Assert.That(write.Add(written, out StoreError error), Is.False);
        Assert.That((error, write.Done, write.Offset, write.Count), Is.EqualTo((StoreError.None, done, 8192L, 12_288)));
        Assert.That(write.Add(12_288 - done, out error), Is.True);
        Assert.That(error, Is.EqualTo(StoreError.None));
    }

    [Test]
    public void A_disk_that_never_takes_a_whole_block_is_full()
    {
        var write = new BlockWrite(0, 8192);
        for (int i = 0; i < 7; i++)
        {
            Assert.That(write.Add(512, out _), Is.False);
        }

        Assert.That(write.Add(512, out StoreError error), Is.True);
        Assert.That(error, Is.EqualTo(StoreError.Full));
    }
}
