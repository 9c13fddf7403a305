using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>Takes a foreign worker through the cases of PROTOCOL.md, and says of each whether it holds.</summary>
/// <param name="command">The worker's program and its arguments.</param>
/// <param name="patience">How long each step may take.</param>
/// <param name="print">Takes a line as soon as it is known.</param>
internal sealed class WorkerCheck(string[] command, TimeSpan patience, Action<string> print)
{
    private const long Trace = 0, None = 6;
    private const int Unknown = 65_000;

    /// <summary>How many of a worker's last lines of stderr a failure shows.</summary>
    private const int ErrorLines = 5;

    private WorkerRun? _run;   // the last one that was started
    private int _held, _failed, _left;

    /// <summary>Runs all cases; the worker is started five times.</summary>
    /// <returns>Whether all hold.</returns>
    /// <exception cref="ToolException">The worker cannot be started.</exception>
    public async Task<bool> RunAsync()
    {
        int logged = await OrdinaryAsync().ConfigureAwait(false);
        if (_run is { Greeting.Count: > 0 })
        {
            await CaseAsync("sends no log event while the level is None" + (logged == 0 ? " (it sent none before either)" : string.Empty),
                LevelAsync).ConfigureAwait(false);
            await CaseAsync("ends by itself, with another exit code than 0, when it is refused", RefusedAsync).ConfigureAwait(false);
            await CaseAsync("ends by itself, with another exit code than 0, when the main node is gone", GoneAsync).ConfigureAwait(false);
            await CaseAsync("ends by itself, with another exit code than 0, on bytes that are no frame", GarbageAsync)
                .ConfigureAwait(false);
        }

        string left = _left == 0 && _run is { Greeting.Count: > 0 } ? string.Empty : "; what follows from the first failure was not tried";
        print(_failed == 0 ? $"compatible: {Counted.Of(_held, "case")} hold"
            : $"not compatible: {Counted.Of(_failed, "case")} failed, {_held} hold{left}");
        return _failed == 0;
    }

    /// <summary>An ordinary link, step by step: what one step breaks, the next cannot show.</summary>
    private async Task<int> OrdinaryAsync()
    {
        WorkerRun? run = null;
        try
        {
            if (!await CaseAsync("connects and says Hello", async () => run = await StartAsync().ConfigureAwait(false))
                .ConfigureAwait(false))
            {
                return 0;
            }

            Describe(run!);
            (string Rule, Func<Task<bool>> IsHeldAsync)[] steps =
            [
                .. Step("answers Ping with its id", () => PingAsync(run!)),
                .. Step("skips control packets and keys that it does not know", () => UnknownAsync(run!)),
                .. Step("acknowledges packets of every lane, also of unknown types and in two frames", () => AckAsync(run!)),
                ("requests", () => RequestAsync(run!)),
                .. Step("ends in order when the main node closes, and every packet is counted", () => EndAsync(run!)),
            ];
            bool goesOn = true;
            foreach ((string rule, Func<Task<bool>> isHeldAsync) in steps)
            {
                if (goesOn)
                {
                    goesOn = await isHeldAsync().ConfigureAwait(false);
                }
                else
                {
                    _left++;
                    print($"  -     {rule}: not tried, the link was broken before");
                }
            }

            return run!.LogEvents;
        }
        finally
        {
            if (run is not null)
            {
                await run.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private (string Rule, Func<Task<bool>> IsHeldAsync)[] Step(string rule, Func<Task> check) => [(rule, () => CaseAsync(rule, check))];

    private Task<WorkerRun> StartAsync() => WorkerRun.StartAsync(command, patience, run => _run = run);

    private void Describe(WorkerRun run)
    {
        object? pid = run.Greeting.GetValueOrDefault("pid");
        string process = pid is long id ? id == run.ProcessId ? $"pid {id}" : $"pid {id} (a child of {run.ProcessId})" : "no pid";
        string said = $"node \"{run.Greeting.GetValueOrDefault("node")}\", {process}, app \"{run.Greeting.GetValueOrDefault("app")}\"";
        print($"        {said}, can: " + (run.Caps.Length > 0 ? string.Join(", ", run.Caps) : "nothing beyond the protocol's core"));
    }

    private static async Task PingAsync(WorkerRun run)
    {
        await WelcomeAsync(run, Trace).ConfigureAwait(false);
        await run.PingAsync(1).ConfigureAwait(false);
    }

    private static async Task UnknownAsync(WorkerRun run)
    {
        await run.ControlAsync(200, ("colour", "red")).ConfigureAwait(false);
        await run.FrameAsync(0, 201, [0x01]).ConfigureAwait(false);
        await run.ControlAsync(WorkerRun.Ping, ("shoeSize", 44L), ("id", 2L)).ConfigureAwait(false);
        await run.UntilAsync(() => run.LastPong == 2, "Pong with id 2, behind types 200 and 201").ConfigureAwait(false);
    }

    private static async Task AckAsync(WorkerRun run)
    {
        await run.FrameAsync(1, Unknown, [0xc0]).ConfigureAwait(false);
        await run.FrameAsync(2, 999, [0x93, 1, 2, 3]).ConfigureAwait(false);
        byte[] large = [0xc6, 0, 1, 0x11, 0x70, .. new byte[70_000]];
        await run.FrameAsync(3, Unknown + 1, large[..65_536], more: true).ConfigureAwait(false);
        await run.ControlAsync(WorkerRun.Ping, ("id", 3L)).ConfigureAwait(false);
        await run.FrameAsync(3, Unknown + 1, large[65_536..]).ConfigureAwait(false);
        long sent = run.Sent;
        await run.UntilAsync(() => run.LastPong == 3, "Pong with id 3, inside a packet").ConfigureAwait(false);
        await run.UntilAsync(() => run.Acknowledged >= sent, $"Ack of {sent} packets").ConfigureAwait(false);
    }

    /// <summary>Asks for something of which the worker knows nothing: one that answers requests says so.</summary>
    private async Task<bool> RequestAsync(WorkerRun run)
    {
        const string Early = "  -     requests: the worker said Goodbye before it could answer one";
        if (run.Farewell is not null)
        {
            print(Early);
            return true;
        }

        await run.FrameAsync(2, WorkerRun.Request, [0x94, 1, 0xcd, 0xfd, 0xea, 0xc4, 1, 0xc0, 0xc0]).ConfigureAwait(false);
        try
        {
            for (long id = 10; id < 30 && run.ResponseStatus is null; id++)
            {
                await Task.Delay(TimeSpan.FromMilliseconds(50)).ConfigureAwait(false);
                await run.PingAsync(id).ConfigureAwait(false);
            }
        }
        catch (CheckFailure e)
        {
            return Note("goes on after a request", e.Message);
        }

        if (run.ResponseStatus is null)
        {
            print(run.Farewell is not null ? Early
                : "  -     requests: one of an unknown type was not answered within 1 s; a worker without requests may do so");
            return true;
        }

        return Note("answers a request of an unknown type with status 3",
            run.ResponseStatus == 3 ? null : $"its status was {run.ResponseStatus}");
    }

    private static async Task EndAsync(WorkerRun run)
    {
        if (run.Farewell is null && run.Caps.Contains("stop"))
        {
            await run.ControlAsync(WorkerRun.Stop, ("reason", "the check is done")).ConfigureAwait(false);
            await run.UntilAsync(() => run.Farewell is not null, "Goodbye behind Stop").ConfigureAwait(false);
        }

        await FinishAsync(run).ConfigureAwait(false);
        int code = await run.ExitAsync().ConfigureAwait(false);
        if (code != 0)
        {
            throw new CheckFailure($"the link ended in order, but the exit code is {code}");
        }
    }

    /// <summary>Both Goodbyes, what is missing in Acks, and the end of the stream.</summary>
    private static async Task FinishAsync(WorkerRun run)
    {
        long sent = run.Sent;
        await run.ControlAsync(WorkerRun.Goodbye, ("packets", sent), ("reason", string.Empty)).ConfigureAwait(false);
        await run.UntilAsync(() => run.Farewell is not null, "Goodbye").ConfigureAwait(false);
        await run.ReportAsync().ConfigureAwait(false);
        await run.UntilAsync(() => run.Acknowledged == sent, $"Ack of all {sent} packets").ConfigureAwait(false);
        run.ShutDown();
        await run.UntilAsync(() => run.IsAtEnd, "the end of its stream").ConfigureAwait(false);
    }

    private async Task LevelAsync()
    {
        await using WorkerRun run = await StartAsync().ConfigureAwait(false);
        await WelcomeAsync(run, None, singly: true).ConfigureAwait(false);
        await run.PingAsync(1, ", behind a Welcome that arrived byte by byte").ConfigureAwait(false);
        await EndAsync(run).ConfigureAwait(false);
        if (run.LogEvents > 0)
        {
            throw new CheckFailure($"Welcome named level 6, None, and {Counted.Of(run.LogEvents, "log event")} arrived");
        }
    }

    private async Task RefusedAsync()
    {
        await using WorkerRun run = await StartAsync().ConfigureAwait(false);
        await run.ControlAsync(WorkerRun.Reject, ("code", "secret"), ("field", "secret"), ("yours", null), ("ours", null),
            ("message", "the secret is not valid (transport check-worker)")).ConfigureAwait(false);
        run.ShutDown();
        await ExpectFailureAsync(run).ConfigureAwait(false);
    }

    private async Task GoneAsync()
    {
        await using WorkerRun run = await StartAsync().ConfigureAwait(false);
        await WelcomeAsync(run, Trace).ConfigureAwait(false);
        await run.PingAsync(1).ConfigureAwait(false);
        run.Disconnect();
        await ExpectFailureAsync(run).ConfigureAwait(false);
    }

    private async Task GarbageAsync()
    {
        await using WorkerRun run = await StartAsync().ConfigureAwait(false);
        await WelcomeAsync(run, Trace).ConfigureAwait(false);
        await run.SendAsync([.. Enumerable.Repeat((byte)0xff, 100)]).ConfigureAwait(false);
        await run.UntilAsync(() => run.IsAtEnd, "the end of its stream").ConfigureAwait(false);
        await ExpectFailureAsync(run).ConfigureAwait(false);
    }

    private static Task WelcomeAsync(WorkerRun run, long level, bool singly = false)
    {
        byte[] body = ControlFields.Write(("version", 1L), ("node", "check"), ("pid", (long)Environment.ProcessId),
            ("caps", run.Caps.Intersect(["streams"], StringComparer.Ordinal).ToArray()), ("level", level), ("maxPacket", 16L << 20));
        return run.FrameAsync(0, WorkerRun.Welcome, body, singly: singly);
    }

    private static async Task ExpectFailureAsync(WorkerRun run)
    {
        if (await run.ExitAsync().ConfigureAwait(false) == 0)
        {
            throw new CheckFailure("its exit code is 0, as if its work were done");
        }
    }

    private async Task<bool> CaseAsync(string rule, Func<Task> check)
    {
        try
        {
            await check().ConfigureAwait(false);
            return Note(rule, null);
        }
        catch (CheckFailure e)
        {
            bool held = Note(rule, e.Message);
            if (_run is { } run)
            {
                await run.DisposeAsync().ConfigureAwait(false);   // whatever follows starts anew
                print($"        {run.End}");
                foreach (string line in run.LastErrors.TakeLast(ErrorLines))
                {
                    print($"        stderr: {TerminalText.Line(line)}");
                }
            }

            return held;
        }
    }

    private bool Note(string rule, string? failure)
    {
        _held += failure is null ? 1 : 0;
        _failed += failure is null ? 0 : 1;
        print(failure is null ? $"  ok    {rule}" : $"  FAIL  {rule}: {failure}");
        return failure is null;
    }
}
