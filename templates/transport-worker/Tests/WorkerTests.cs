using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport;
using TransportApp.Packets;

namespace TransportApp.Tests;

internal sealed class WorkerTests
{
    [Test]
    public async Task The_worker_reports_each_file_and_nothing_is_lost()
    {
        var files = new List<string>();
        await using var main = MainNode.Start();
        var start = new WorkerStartOptions("dotnet", Path.Combine(TestContext.CurrentContext.TestDirectory, "Worker.dll"));
        start.Router.On<Compiled>(file => files.Add(file.Path))
            .OnUnknown(_ => { }); // the log is not what is tested: ignored on purpose
        WorkerExit exit = await main.StartWorker(start).WaitForExitAsync();
        Assert.That(exit.IsSuccess, Is.True, exit.Report);
        Assert.That(files, Is.EqualTo(new[] { "File1.cs", "File2.cs", "File3.cs" }));
    }
}
