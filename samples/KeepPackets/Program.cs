using System;
using System.IO;
using System.Threading.Tasks;
using KeepPackets;
using Transport;
using Transport.Journal;

return WorkerHost.IsWorker ? await WorkAsync() : await MainAsync();

static async Task<int> MainAsync()
{
    string directory = Path.Combine(Path.GetTempPath(), "transport-journal-" + Guid.NewGuid().ToString("n"));
    try
    {
        // The store appends each packet before its handler runs; the worker's packets are acknowledged once they are on the disk.
        await using (PacketJournal journal = PacketJournal.Open(directory))
        await using (var main = MainNode.Start())
        {
            var start = WorkerStartOptions.ForThisProgram();
            start.Router.UseStore(new JournalPacketStore(journal)).On<Measured>(_ => { });
            WorkerExit exit = await main.StartWorker(start).WaitForExitAsync();
            Console.WriteLine($"received {exit.Link!.Receipt.Received}, flushed {exit.Link.Receipt.Flushed}");
        }

        // Any process may read, also while it is written. A record is on loan for one turn of the loop.
        using JournalReader reader = JournalReader.Open(directory, new JournalReaderOptions { Types = [Measured.PacketType.Id] });
        double sum = 0;
        foreach (JournalRecord record in reader)
        {
            Measured measured = record.Read(Measured.PacketType);
            Console.WriteLine($"{record.Position} {record.Node}: {measured.Name} {measured.Value}");
            sum += measured.Value;
        }

        Console.WriteLine($"sum {sum}, journal {reader.Condition}");
        return sum == 60 && reader.Condition == JournalCondition.Closed ? 0 : 1;
    }
    finally
    {
        if (Directory.Exists(directory))
        {
            Directory.Delete(directory, recursive: true);
        }
    }
}

static Task<int> WorkAsync() => WorkerHost.RunAsync(async (link, _) =>
{
    for (int i = 1; i <= 3; i++)
    {
        if (await link.SendAsync(new Measured($"value {i}", 10 * i)) != SendResult.Queued)
        {
            return 1;
        }
    }

    return 0;
});
