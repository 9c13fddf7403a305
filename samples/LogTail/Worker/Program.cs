using Microsoft.Extensions.Logging;
using Transport;
using Transport.Logging;

await using var link = await WorkerHost.ConnectAsync();
using var loggers = LoggerFactory.Create(builder => builder.AddTransport(link));
var log = loggers.CreateLogger("Compiler");
for (int i = 1; i <= 3; i++) log.LogInformation("Compiled {File} in {Ms} ms", $"File{i}.cs", 40 * i);
return (await link.CloseAsync()).Receipt.IsComplete ? 0 : 1; // 0: the main node has taken every event
