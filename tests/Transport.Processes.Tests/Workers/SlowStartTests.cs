using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A program that takes long to start (a slow disk) holds up nobody but its caller.</summary>
public sealed class SlowStartTests
{
    [Test]
    public async Task A_program_that_takes_long_to_start_holds_up_neither_the_list_of_workers_nor_refusals()
    {
        await using var rig = new MainRig();
        WorkerProcess other = rig.Start(new WorkerStartOptions("sleep", "1000"));
        using var slow = new LeasedProgram();
        Task<WorkerProcess> starting = Task.Run(() => rig.Start(new WorkerStartOptions(slow.Path)));
        await slow.Asked.Within("the start").ConfigureAwait(false);
        IReadOnlyList<WorkerProcess> workers = await Task.Run(() => rig.Main.Workers).Within("the list of workers").ConfigureAwait(false);
        Assert.That(workers, Is.EqualTo(new[] { other }));
        Assert.That(starting.IsCompleted, Is.False);
        slow.Release();
        WorkerProcess started = await starting.Within("the start's end").ConfigureAwait(false);
        Assert.That((await rig.End(started).ConfigureAwait(false)).Cause, Is.EqualTo("exit 0"));
    }

    [Test]
    public async Task A_worker_that_is_being_started_while_its_main_node_ends_is_stopped_too()
    {
        var rig = new MainRig();
        using var slow = new LeasedProgram("/bin/sleep");
        Task<WorkerProcess> starting = Task.Run(() => rig.Start(new WorkerStartOptions(slow.Path, "1000")));
        await slow.Asked.Within("the start").ConfigureAwait(false);
        Task disposing = rig.DisposeAsync().AsTask();
        slow.Release();
        WorkerProcess? worker = null;
        try
        {
            worker = await starting.Within("the start's end").ConfigureAwait(false);
        }
        catch (ObjectDisposedException)
        {
            // Also an answer: it was not started.
        }

        await disposing.Within("the main node's end").ConfigureAwait(false);
        Assert.That(worker?.WaitForExitAsync().IsCompleted ?? true, Is.True);
    }

    /// <summary>A program whose file is leased (fcntl(2), F_SETLEASE): executing it waits until the lease is given back.</summary>
    private sealed class LeasedProgram : IDisposable
    {
        private const int SetLease = 1024, GetLease = 1025, SetSignal = 10, WriteLease = 1, Unlock = 2, ReadLease = 0, Urgent = 23;

        private readonly TestFolder _folder = new();
        private readonly int _file;

        public LeasedProgram(string program = "/bin/true")
        {
            Path = System.IO.Path.Combine(_folder.Path, "slow");
            File.Copy(program, Path);
            _file = open(Path, 0);   // not for writing: nobody could execute it
            fcntl(_file, SetSignal, Urgent);   // ignored by default; that of a lease, SIGIO, ends the process
            Assert.That(fcntl(_file, SetLease, WriteLease), Is.EqualTo(0), "this file system knows leases");

            // A lease that somebody waits for says what it is to become.
            Asked = Task.Run(() => SpinWait.SpinUntil(() => fcntl(_file, GetLease, 0) is ReadLease or Unlock, WithinExtensions.Bound));
        }

        public string Path { get; }

        /// <summary>Gets when somebody waits for the file.</summary>
        public Task Asked { get; }

        public void Release() => fcntl(_file, SetLease, Unlock);

        public void Dispose()
        {
            close(_file);
            _folder.Dispose();
        }

        [DllImport("libc")]
        private static extern int open(string path, int flags);

        [DllImport("libc")]
        private static extern int fcntl(int file, int command, int argument);

        [DllImport("libc")]
        private static extern int close(int file);
    }
}
