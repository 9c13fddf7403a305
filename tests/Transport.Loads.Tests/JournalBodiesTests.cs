using NUnit.Framework;
using Transport.Loads.Journals;

namespace Transport.Loads.Tests;

[TestFixture]
public sealed class JournalBodiesTests
{
    private const int Size = 64;

    [Test]
    public void Bodies_that_come_back_in_order_are_taken()
    {
        var check = new JournalBodies.Check(Size);
        check.Take(Body(0, 7));   // the segments before were used again
        check.Take(Body(1, 1));
        check.Take(Body(0, 8));
        Assert.That((check.Last(0), check.Last(1), check.Last(2)), Is.EqualTo((8L, 1L, 0L)));
    }

    [TestCase(9)]
    [TestCase(7)]
    [TestCase(6)]
    public void One_that_is_lost_doubled_or_moved_is_noticed(int next)
    {
        var check = new JournalBodies.Check(Size);
        check.Take(Body(0, 7));
        Assert.That(() => check.Take(Body(0, next)), Throws.InstanceOf<LoadException>());
    }

    [Test]
    public void One_that_is_changed_or_cut_is_noticed([Values(JournalBodies.Least, 40, Size - 1)] int at)
    {
        byte[] changed = Body(0, 1);
        changed[at] ^= 4;
        Assert.Multiple(() =>
        {
            Assert.That(() => new JournalBodies.Check(Size).Take(changed), Throws.InstanceOf<LoadException>());
            Assert.That(() => new JournalBodies.Check(Size).Take(Body(0, 1)[..at]), Throws.InstanceOf<LoadException>());
        });
    }

    private static byte[] Body(long producer, long number)
    {
        byte[] body = JournalBodies.Make(Size);
        JournalBodies.Number(body, producer, number);
        return body;
    }
}
