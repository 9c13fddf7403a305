using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Tests.Nodes;

/// <summary>The line of requests that wait for a place at a worker of a pool.</summary>
internal sealed class PoolMembersTests
{
    [Test]
    public async Task Who_had_a_place_at_a_worker_that_closed_comes_before_the_others_and_behind_those_who_had_one_before()
    {
        var members = new PoolMembers(new WorkerPoolOptions());
        PoolWaiter third = members.Enter(isNext: false), fourth = members.Enter(isNext: false);
        PoolWaiter first = members.Enter(isNext: true), second = members.Enter(isNext: true);
        var line = new List<PoolWaiter>();
        for (LinkedListNode<PoolWaiter>? one = third.Node.List!.First; one is not null; one = one.Next)
        {
            line.Add(one.Value);
        }

        Assert.That(line, Is.EqualTo(new[] { first, second, third, fourth }));
        Assert.That(members.TryLeave(first), Is.True);
        members.Serve(isOver: true);
        Assert.That(await Task.WhenAll(line.Skip(1).Select(waiter => waiter.Task)), Is.All.Null);
        Assert.That(members.TryLeave(second), Is.False, "it was served");
    }
}
