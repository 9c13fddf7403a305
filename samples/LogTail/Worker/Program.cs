using Microsoft.Extensions.Logging;
using Transport;
using Transport.Logging;

return await WorkerHost.RunAsync(link =>
{
    using var loggers = LoggerFactory.Create(builder => builder.AddTransport(link));
    var log = loggers.CreateLogger("Compiler");
    for (int i = 1; i <= 3; i++) log.LogInformation("Compiled {File} in {Ms} ms", $"File{i}.cs", 40 * i);
    return 0; // the exit code, if the main node then has taken every event
});
