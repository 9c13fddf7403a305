using System;
using System.IO;
using Transport;
using Transport.Files;
using Unpack;

if (args.Length != 2)
{
    Console.Error.WriteLine("usage: Unpack FILE DIR   (zip, nupkg, tar or tar.gz; DIR must not exist, or be empty)");
    return 2;
}

try
{
    using var archive = ArchiveReader.Open(args[0], new ArchiveLimits());

    // Two threads write while this one reads. DIR appears when all of it is there: what throws before that leaves nothing.
    await using var output = FileOutput.Publish(args[1], new FileOutputOptions { Existing = ExistingTarget.RefuseUnlessEmpty });
    Console.WriteLine(await new Extractor(archive, output).RunAsync(default));
    return 0;
}
catch (Exception e) when (e is ArchiveException or TransportException or IOException or UnauthorizedAccessException or ArgumentException)
{
    Console.Error.WriteLine(TerminalText.Line($"{args[0]}: {e.Message}"));
    return 1;
}
