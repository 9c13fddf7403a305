using Microsoft.Extensions.Logging;
using Transport;
using Transport.Logging;
using TransportApp.Packets;

return await WorkerHost.RunAsync(async (link, stop) =>
{
    using var loggers = LoggerFactory.Create(builder => builder.AddTransport(link));
    var log = loggers.CreateLogger("Compiler");
    for (int i = 1; i <= 3; i++)
    {
        log.LogInformation("Compiling {File}", $"File{i}.cs");
        if (await link.SendAsync(new Compiled($"File{i}.cs", 40 * i)) != SendResult.Queued)
        {
            return 1; // the link is closed: the main node is gone
        }
    }

    return 0; // the exit code, if the main node has then handled everything
});
