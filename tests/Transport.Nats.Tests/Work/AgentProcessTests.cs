using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Nats.Helper;
using Transport.Nats.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Nats.Tests.Work;

/// <summary>Agents that are processes with pools of workers: what a crash and a kill of each leave behind.</summary>
[NonParallelizable]
public sealed class AgentProcessTests : ServerTests
{
    private static readonly int Requests = Nightly.Rounds(nightly: 1_000, otherwise: 200);
    private static readonly int Kills = Nightly.Rounds(nightly: 20, otherwise: 4);

    [Test]
    public async Task A_worker_that_crashes_fails_its_request_with_its_exit_report()
    {
        await using RemotePool pool = Pool();
        using ProgramProcess agent = ProgramProcess.Agent(Server.Url, "a1", 1);
        TransportException fault = (await Assert.ThrowsAsync<TransportException>(
            () => pool.RequestAsync(new Square(1, How: "crash")).Within("the failure")))!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(fault.Message,
            Does.Contain("The worker has exited before it answered").And.Contain("SIGABRT").And.Contain("(agent a1)"));
        var exit = (FleetException)fault.InnerException!;
        Assert.That(exit.Fault, Is.EqualTo(FleetFault.WorkerExited));
        Assert.That(exit.Message, Does.Contain("FailFast: a test").And.Contain("stderr:"));
        var steps = new ConcurrentQueue<Step>();
        Squared next = await pool.RequestAsync(new Square(5), new Steps(steps)).Within("the next answer, of the worker in its place");
        Assert.That(next.Value, Is.EqualTo(25));
        Assert.That(steps, Is.EqualTo(new[] { new Step(50) }), "reports come through the agent's pool");
    }

    [Test]
    public async Task A_caller_that_is_killed_has_its_work_cancelled()
    {
        await using RemotePool pool = Pool();
        using ProgramProcess agent = ProgramProcess.Agent(Server.Url, "a1", 1);
        Assert.That((await pool.RequestAsync(new Square(2)).Within("an answer")).Value, Is.EqualTo(4));
        using ProgramProcess caller = ProgramProcess.Helper("caller", Server.Url);
        await Records.UntilAsync(() => caller.Lines.Contains("asked", StringComparison.Ordinal), () => caller.Lines);
        Task<Squared> behind = pool.RequestAsync(new Square(3));   // the only worker has the other's
        caller.Kill();
        Assert.That((await behind.Within("the worker, free again")).Value, Is.EqualTo(9));
    }

    [Test]
    public async Task Requests_and_killed_agents_are_each_answered_once_or_failed_by_name()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var dice = new Random(seed);
        await using RemotePool pool = Pool();
        List<ProgramProcess> agents = [ProgramProcess.Agent(Server.Url, "a1", 2), ProgramProcess.Agent(Server.Url, "a2", 2)];
        HashSet<int> processes = [];
        try
        {
            await Task.WhenAll(Enumerable.Range(0, 8).Select(i => pool.RequestAsync(new Square(i, 100)))).Within("both agents");
            Task<Squared>[] all = [.. Enumerable.Range(0, Requests).Select(i => pool.RequestAsync(new Square(i, dice.Next(20, 120))))];
            for (int kill = 0; kill < Kills; kill++)
            {
                long before = pool.Status.Completed;
                await Records.UntilAsync(
                    () => pool.Status.Completed >= before + 20 || all.All(one => one.IsCompleted), () => pool.Status.ToString());
                int place = dice.Next(2);
                processes.UnionWith(agents[place].Children());
                agents[place].Kill();
                agents[place].Dispose();
                agents[place] = ProgramProcess.Agent(Server.Url, $"a{kill + 3}", 2);
            }

            await Task.WhenAll(all.Select(one => one.ContinueWith(_ => { }, TaskScheduler.Default))).Within("all ends");
            int failed = 0;
            for (int i = 0; i < Requests; i++)
            {
                if (all[i].IsCompletedSuccessfully)
                {
                    Assert.That((await all[i]).Value, Is.EqualTo((long)i * i));
                    continue;
                }

                failed++;
                TransportException fault = (await Assert.ThrowsAsync<TransportException>(() => all[i]))!;
                Assert.That(((FleetException)fault.InnerException!).Fault, Is.EqualTo(FleetFault.TriedTooOften), fault.Message);
            }

            TestContext.Out.WriteLine($"{failed} failed by name; {pool.Status}");
            Assert.That(pool.Status, Is.EqualTo(pool.Status with { Waiting = 0, Running = 0, Completed = Requests + 8 - failed }));
            Assert.That(failed, Is.LessThan(Requests / 10));
        }
        finally
        {
            foreach (ProgramProcess agent in agents)
            {
                processes.UnionWith(agent.Children());
                agent.Dispose();
            }
        }

        await Records.UntilAsync(() => !processes.Any(IsHelper), () => $"still running: {string.Join(' ', processes.Where(IsHelper))}");
    }

    private static bool IsHelper(int id)
    {
        try
        {
            return File.ReadAllText($"/proc/{id}/cmdline").Contains("nats-helper", StringComparison.Ordinal)
                && !File.ReadAllText($"/proc/{id}/stat").Contains(") Z ", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }

    private RemotePool Pool() => RemotePool.Start(Connection, new RemotePoolOptions { Stream = { Create = true } });
}
