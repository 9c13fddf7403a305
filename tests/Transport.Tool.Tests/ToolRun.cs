using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;

namespace Transport.Tool.Tests;

/// <summary>One run of the program, to its end.</summary>
internal sealed record ToolRun(int ExitCode, string[] Output, string[] Errors)
{
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(60);

    public static async Task<ToolRun> Of(params string[] arguments)
    {
        using Process process = Start(arguments);
        return await EndAsync(process);
    }

    public static Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", ["exec", Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll"), .. arguments])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        return Process.Start(start)!;
    }

    public static async Task<ToolRun> EndAsync(Process process)
    {
        Task<string> output = process.StandardOutput.ReadToEndAsync(), errors = process.StandardError.ReadToEndAsync();
        try
        {
            await Task.WhenAll(output, errors, process.WaitForExitAsync()).WaitAsync(Most);
        }
        catch (TimeoutException)
        {
            process.Kill();
            throw;
        }

        return new ToolRun(process.ExitCode, LinesOf(await output), LinesOf(await errors));
    }

    private static string[] LinesOf(string text) => text.Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
