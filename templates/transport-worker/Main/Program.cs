using System;
using Transport;
using Transport.Logging;
using TransportApp.Packets;

await using var main = MainNode.Start();
var sink = new ConsoleSink(Console.Out);
PacketRouter router = sink.AddTo(new PacketRouter(), "n1")
    .On<Compiled>(file => Console.WriteLine($"{file.Path}: {file.Milliseconds} ms"));
var start = new ProcessStartOptions(AppContext.BaseDirectory + "Worker");
WorkerExit exit = await main.StartWorker(start, router, line => sink.Write("n1", line.Text, line.IsError)).WaitForExitAsync();
Console.WriteLine(exit); // how it ended, in one line; exit.Report has more
return exit.IsSuccess ? 0 : 1;
