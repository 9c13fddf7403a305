using Microsoft.Extensions.Logging;
using Transport;
using Transport.Logging;

return await WorkerHost.RunAsync(link =>
{
    var log = link.CreateLogger("Compiler");
    for (int i = 1; i <= 3; i++) log.LogInformation("Compiled {File} in {Ms} ms", $"File{i}.cs", 40 * i);
    return 0; // the exit code, if the main node then has taken every event
});
