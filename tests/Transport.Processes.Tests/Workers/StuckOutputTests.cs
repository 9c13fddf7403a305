using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>An output callback that does not return holds up no stop forever.</summary>
public sealed class StuckOutputTests
{
    private const string NotReturned = "the output callback of MainNode.StartWorker has not returned";

    [Test]
    public async Task An_output_callback_that_does_not_return_does_not_hold_up_the_stop()
    {
        var stuck = new StuckOutput();
        await using var rig = new MainRig(change: options => options.StopTimeout = TimeSpan.FromMilliseconds(100));
        try
        {
            WorkerProcess worker = rig.Main.StartWorker(Shell.Command("echo a line; exec sleep 1000").With(output: stuck.Take));
            await stuck.Called.Within("the line").ConfigureAwait(false);
            WorkerExit end = await worker.StopAsync("for the test").Within("the stop").ConfigureAwait(false);
            AssertGivenUp(end);
            Assert.That(end.Connected, Is.False);
            Assert.That(worker.WaitForExitAsync().IsCompleted, Is.True);
            Assert.That(rig.Main.Workers, Is.Empty);
        }
        finally
        {
            stuck.Release();
        }
    }

    [Test]
    public async Task An_output_callback_that_does_not_return_does_not_hold_up_the_main_node()
    {
        var stuck = new StuckOutput();
        var rig = new MainRig(change: options => options.StopTimeout = TimeSpan.FromSeconds(1));
        try
        {
            WorkerProcess worker = rig.Main.StartWorker(TestHost.Start("worker-stay").With(output: stuck.Take));
            await worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
            await stuck.Called.Within("the line").ConfigureAwait(false);
            await rig.DisposeAsync().AsTask().Within("the main node's end").ConfigureAwait(false);
            WorkerExit end = await rig.End(worker).ConfigureAwait(false);
            AssertGivenUp(end);
            Assert.That(end.Connected, Is.True);
        }
        finally
        {
            stuck.Release();
        }
    }

    [Test]
    public async Task An_output_callback_may_wait_for_the_stop_of_its_own_worker()
    {
        var stuck = new StuckOutput();
        await using var rig = new MainRig(change: options => options.StopTimeout = TimeSpan.FromMilliseconds(100));
        var started = new TaskCompletionSource<WorkerProcess>(TaskCreationOptions.RunContinuationsAsynchronously);
        Task<WorkerExit>? stopping = null;
        started.SetResult(rig.Main.StartWorker(Shell.Command("echo a line; exec sleep 1000").With(output: line =>
        {
            stopping ??= StopAsync();
            stuck.Take(line);
        })));
        await stuck.Called.Within("the line").ConfigureAwait(false);
        try
        {
            AssertGivenUp(await stopping!.Within("the stop").ConfigureAwait(false));
        }
        finally
        {
            stuck.Release();
        }

        async Task<WorkerExit> StopAsync()
        {
            WorkerProcess worker = await started.Task.ConfigureAwait(false);
            return await worker.StopAsync("its line").ConfigureAwait(false);
        }
    }

    private static void AssertGivenUp(WorkerExit end)
    {
        TestContext.Out.WriteLine(end);
        Assert.That((end.Process.ExitCode, end.Process.Signal, end.IsClean), Is.EqualTo(((int?)null, (int?)null, false)));
        Assert.That(end.OutputFault?.Message, Is.EqualTo(NotReturned));
        Assert.That(end.Explanation, Is.EqualTo(NotReturned));
    }

    /// <summary>An output callback that blocks from its first line until it is released.</summary>
    private sealed class StuckOutput
    {
        private readonly object _gate = new();
        private readonly TaskCompletionSource<bool> _called = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private bool _released;

        public Task Called => _called.Task;

        public void Take(OutputLine line)
        {
            _called.TrySetResult(true);
            lock (_gate)
            {
                while (!_released)
                {
                    Monitor.Wait(_gate);
                }
            }
        }

        public void Release()
        {
            lock (_gate)
            {
                _released = true;
                Monitor.PulseAll(_gate);
            }
        }
    }
}
