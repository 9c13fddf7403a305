using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>The task of an append, as its awaiter sees it.</summary>
internal sealed class AppendSourceTests
{
    private static readonly AsyncLocal<string> Local = new();

    /// <summary>A continuation that comes after the result is queued, and was once run without its context.</summary>
    [Test]
    public async Task A_continuation_runs_in_the_execution_context_it_was_given_in(
        [Values] bool isLate, [Values("pool", "scheduler", "context")] string where)
    {
        var source = new AppendSourcePool().Rent();
        if (isLate)
        {
            source.Complete();
            source.Run();
        }

        var seen = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await Task.Factory.StartNew(
            () =>
            {
                if (where == "context")
                {
                    SynchronizationContext.SetSynchronizationContext(new ForgetfulContext());
                }

                Local.Value = "of the caller";
                ValueTaskSourceOnCompletedFlags flags = ValueTaskSourceOnCompletedFlags.FlowExecutionContext;
                flags |= where == "pool" ? 0 : ValueTaskSourceOnCompletedFlags.UseSchedulingContext;
                source.OnCompleted(_ => seen.SetResult(Local.Value), null, source.Version, flags);
            },
            CancellationToken.None,
            TaskCreationOptions.None,
            where == "scheduler" ? new ForgetfulScheduler() : TaskScheduler.Default).Within("it is given");
        if (!isLate)
        {
            source.Complete();
            await Task.Run(source.Run).Within("it is run");
        }

        Assert.That(await seen.Task.Within("it runs"), Is.EqualTo("of the caller"));
    }

    /// <summary>Runs what is posted on a thread of its own, without anybody's context.</summary>
    private sealed class ForgetfulContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => ThreadPool.UnsafeQueueUserWorkItem(_ => d(state), null);
    }

    private sealed class ForgetfulScheduler : TaskScheduler
    {
        private readonly ConcurrentQueue<Task> _tasks = new();

        protected override System.Collections.Generic.IEnumerable<Task> GetScheduledTasks() => _tasks.ToArray();

        protected override void QueueTask(Task task)
        {
            _tasks.Enqueue(task);
            ThreadPool.UnsafeQueueUserWorkItem(
                _ =>
                {
                    if (_tasks.TryDequeue(out Task? next))
                    {
                        TryExecuteTask(next);
                    }
                },
                null);
        }

        protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;
    }
}
