using System;
using Transport;
using Transport.Logging;
using TransportApp.Packets;

await using var main = MainNode.Start();
var start = new WorkerStartOptions(AppContext.BaseDirectory + "Worker").LogTo(new ConsoleSink(Console.Out));
start.Router.On<Compiled>((file, context) => Console.WriteLine($"{context.Node}: {file.Path} in {file.Milliseconds} ms"));
WorkerExit exit = await main.StartWorker(start).WaitForExitAsync();
Console.WriteLine(exit); // how it ended, in one line; exit.Report has more
return exit.IsSuccess ? 0 : 1;
