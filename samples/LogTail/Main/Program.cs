using System;
using System.IO;
using Transport;
using Transport.Logging;

await using var main = MainNode.Start();
var sink = new ConsoleSink(Console.Out);
var start = new ProcessStart("dotnet", Path.Combine(AppContext.BaseDirectory, "Worker.dll"));
var end = await main.StartWorker(start, sink.AddTo(new(), "n1"), line => sink.Write("n1", line.Text, line.IsError)).WaitForExitAsync();
Console.WriteLine(end); // how it ended, by name; its last words if it was not clean
return end.IsClean ? 0 : 1;
