using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport;

namespace Transport.Docs.Tests.Testing;

[Packet(1050)]
public sealed partial record Compile(string File) : IRequest<Compiled>;

[Packet(1051)]
public sealed partial record Compiled(string File, string By);

/// <summary>What is tested: handlers as methods, and a function that registers them.</summary>
public static class Compiler
{
    public static Task<Compiled> CompileAsync(Compile compile, PacketContext context) =>
        compile.File.EndsWith(".cs", StringComparison.Ordinal)
            ? Task.FromResult(new Compiled(compile.File, context.Node))
            : throw new ArgumentException($"{compile.File} is no C# file.");

    public static PacketRouter Register(PacketRouter router) => router.OnRequest<Compile, Compiled>(CompileAsync);
}

public sealed class CompilerTests
{
    [Test]
    public async Task A_handler_answers_over_a_link()
    {
        await using LinkPair pair = await LinkPair.CreateAsync();
        pair.Worker.Start(Compiler.Register(new PacketRouter()));
        pair.Main.Start(new PacketRouter());
        Compiled compiled = await pair.Main.RequestAsync(new Compile("a.cs"), TimeSpan.FromSeconds(10));
        Assert.That(compiled, Is.EqualTo(new Compiled("a.cs", "main")));
        Assert.That((await pair.Main.CloseAsync()).IsClean, Is.True);
    }

    [Test]
    public async Task A_handler_that_throws_fails_the_request()
    {
        await using LinkPair pair = await LinkPair.CreateAsync();
        pair.Worker.Start(Compiler.Register(new PacketRouter()));
        pair.Main.Start(new PacketRouter());
        TransportException? failed = await Assert.ThrowsAsync<TransportException>(() => pair.Main.RequestAsync(new Compile("a.txt")));
        Assert.That(failed!.Fault, Is.EqualTo(TransportFault.RequestFailed));
        Assert.That(failed.Message, Does.EndWith("ArgumentException: a.txt is no C# file."));
    }

    [Test]
    public async Task A_worker_that_vanishes_fails_the_request()
    {
        await using LinkPair pair = await LinkPair.CreateAsync();
        pair.Worker.Start(new PacketRouter().OnRequest<Compile, Compiled>(async (compile, _) =>
        {
            pair.Worker.Abort("the test pulls the plug");   // as a crash: no Goodbye
            await Task.Delay(TimeSpan.FromMinutes(1));
            return new Compiled(compile.File, "never");
        }));
        pair.Main.Start(new PacketRouter());
        TransportException? failed = await Assert.ThrowsAsync<TransportException>(() => pair.Main.RequestAsync(new Compile("a.cs")));
        Assert.That(failed!.Fault, Is.EqualTo(TransportFault.PeerGone));
    }
}
