using System;
using Transport;
using Transport.Logging;

await using var main = MainNode.Start();
var start = new WorkerStartOptions(AppContext.BaseDirectory + "Worker").LogTo(new ConsoleSink(Console.Out));
var end = await main.StartWorker(start).WaitForExitAsync();
Console.WriteLine(end); // how it ended, in one line; end.Report has its last output too
return end.IsSuccess ? 0 : 1;
