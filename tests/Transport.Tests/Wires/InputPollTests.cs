using System;
using System.Globalization;
using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Wires;

/// <summary>What poll(2) says is wrong must not be taken for a wake-up: its caller would ask again at once, forever.</summary>
[Platform("Linux")]
internal sealed class InputPollTests
{
    private static readonly Lazy<int> Descriptors = new(ReadLimit);

    [Test]
    public void A_poll_that_the_system_refuses_throws()
    {
        Assume.That(Descriptors.Value, Is.LessThan(4 << 20));
        using var poll = new InputPoll();
        poll.Begin();
        for (int i = 0; i <= Descriptors.Value; i++)
        {
            poll.Add(InputPoll.Ignored);   // more than the process may have: EINVAL
        }

        Assert.That(poll.Wait, Throws.InstanceOf<IOException>());
    }

    [Test]
    public void A_descriptor_that_is_not_open_is_named()
    {
        using var poll = new InputPoll();
        poll.Begin();
        poll.Add(InputPoll.Ignored);
        poll.Add(Descriptors.Value - 1);
        poll.Wait();
        Assert.That((poll.IsClosed(0), poll.IsClosed(1), poll.HasInput(1)), Is.EqualTo((false, true, true)));
    }

    /// <summary>Returns how many descriptors this process may have.</summary>
    private static int ReadLimit()
    {
        const string Name = "Max open files";
        string line = File.ReadLines("/proc/self/limits").Single(l => l.StartsWith(Name, StringComparison.Ordinal));
        string soft = line.Substring(Name.Length).Split([' '], StringSplitOptions.RemoveEmptyEntries)[0];
        return int.TryParse(soft, NumberStyles.None, CultureInfo.InvariantCulture, out int limit) ? limit : int.MaxValue;
    }
}
