using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;

namespace Transport.Life;

/// <summary>Starts the bare program and reads what it writes, as a program without this library would.</summary>
internal static class BareProcess
{
    /// <summary>Runs the program to its end.</summary>
    /// <param name="program">Its path.</param>
    /// <param name="folder">Where its socket is made.</param>
    /// <param name="arguments">What it does.</param>
    /// <param name="connected">Called with its process id when its first bytes are here; null if nothing is measured there.</param>
    /// <returns>The lines it wrote to its standard output.</returns>
    public static async Task<IReadOnlyList<string>> RunAsync(string program, string folder, string[] arguments, Func<int, Task>? connected)
    {
        string path = Path.Combine(folder, "bare.sock");
        File.Delete(path);
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen();
        var lines = new List<string>();
        using var process = new Process
        {
            StartInfo = new ProcessStartInfo(program, [path, .. arguments]) { RedirectStandardOutput = true, UseShellExecute = false },
        };
        process.OutputDataReceived += (_, line) =>
        {
            if (line.Data is { } text)
            {
                lines.Add(text);
            }
        };
        _ = process.Start();
        process.BeginOutputReadLine();
        using (Socket accepted = await listener.AcceptAsync().ConfigureAwait(false))
        {
            byte[] buffer = new byte[64 * 1024];
            bool isFirst = true;
            while (await accepted.ReceiveAsync(buffer).ConfigureAwait(false) > 0)
            {
                if (isFirst && connected is not null)
                {
                    await connected(process.Id).ConfigureAwait(false);
                    break;
                }

                isFirst = false;
            }
        }

        await process.WaitForExitAsync().ConfigureAwait(false);
        return process.ExitCode == 0 ? lines : throw new InvalidOperationException(FormattableString.Invariant(
            $"{program} ended with {process.ExitCode.ToString(CultureInfo.InvariantCulture)}; expected 0"));
    }
}
