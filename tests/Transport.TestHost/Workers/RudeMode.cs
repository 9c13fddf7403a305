using System;
using System.IO;
using System.Text;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;
using Transport.Logging;
using Transport.Testing;

namespace Transport.TestHost.Workers;

/// <summary>A worker all of whose texts are such that no terminal may get them as they are.</summary>
internal static class RudeMode
{
    public static async Task<int> RunAsync()
    {
        string text = HostileText.Value;
        using (Stream output = Console.OpenStandardOutput(), error = Console.OpenStandardError())
        {
            byte[] line = Encoding.UTF8.GetBytes(text + "\n");
            output.Write(line, 0, line.Length);
            error.Write(line, 0, line.Length);
        }

        var options = new WorkerHostOptions();
        options.Link.App = text.Substring(0, 200);
        Link link = await WorkerHost.ConnectAsync(null, options).ConfigureAwait(false);
        _ = link.Log(LogLevel.Error, text, text, new InvalidOperationException(text));
        _ = link.Report(1, 1, 2, text);
        await link.CloseAsync(text).ConfigureAwait(false);
        return 3;
    }
}
