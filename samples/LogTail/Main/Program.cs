using System;
using Transport;
using Transport.Logging;

await using var main = MainNode.Start();
var sink = new ConsoleSink(Console.Out);
var start = new ProcessStartOptions(AppContext.BaseDirectory + "Worker");
var end = await main.StartWorker(start, sink.AddTo(new(), "n1"), line => sink.Write("n1", line.Text, line.IsError)).WaitForExitAsync();
Console.WriteLine(end); // how it ended, in one line; end.Report has its last output too
return end.IsSuccess ? 0 : 1;
