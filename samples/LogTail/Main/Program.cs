using System;
using System.IO;
using Transport.Logging;
using Transport.Nodes;
using Transport.Receiving;

await using var main = MainNode.Start();
var router = new ConsoleSink(Console.Out).AddTo(new PacketRouter(), "n1");
var worker = main.StartWorker(new ProcessStart("dotnet", Path.Combine(AppContext.BaseDirectory, "Worker.dll")), router);
Console.WriteLine(await worker.Ended);
