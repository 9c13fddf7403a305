using System;
using System.IO;
using System.Threading.Tasks;
using Transport;
using Transport.Files;

namespace Transport.Files.Tests.Publishing;

/// <summary>The program that docs/guide/files.md begins with.</summary>
internal static class FilesExample
{
    public static async Task<int> RunAsync()
    {
        try
        {
            await using var output = FileOutput.Publish("out/package", new FileOutputOptions { Existing = ExistingTarget.Replace });
            await output.WriteAsync("lib/Tool.dll", File.ReadAllBytes("Tool.dll"));
            await using var readme = File.OpenRead("README.md");
            await output.WriteAsync("README.md", readme);         // read to its end; disposing it is yours
            await output.WriteAsync("tool.sh", "#!/bin/sh\n"u8.ToArray(), new FileEntry { Mode = Convert.ToInt32("755", 8) });
            output.CreateSymbolicLink("current", "lib");
            FileReceipt receipt = await output.CompleteAsync();   // here "out/package" appears, or is exchanged
            Console.WriteLine($"{receipt.Files} files, {receipt.Bytes} bytes");
        }
        catch (TransportException e)
        {
            Console.Error.WriteLine(e.Message);                   // the first failure: operation, path, reason; e.Fault is its kind
            return 1;                                             // nothing is at "out/package", or what was there before
        }

        return 0;
    }
}
