using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Links;

namespace Transport.TestHost.Workers;

/// <summary>A worker that answers with its process id: 0 at once, another number when that number comes as a packet. A packet below 0
/// ends it with that exit code; -1,000 in order. A stream counts without end, and sends 7 when it is stopped.</summary>
internal static class AnswerMode
{
    private const int InOrder = -1_000;

    public static async Task<int> RunAsync()
    {
        var waiting = new ConcurrentDictionary<int, TaskCompletionSource<bool>>();
        TaskCompletionSource<bool> Of(int number) =>
            waiting.GetOrAdd(number, _ => new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously));
        var inOrder = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int process = Process.GetCurrentProcess().Id;
        PacketRouter router = new PacketRouter()
            .OnRequest(NumberPacket.Type, NumberPacket.Type, async (number, _) =>
            {
                await (number == 0 ? Task.CompletedTask : Of(number).Task).ConfigureAwait(false);
                return process;
            })
            .OnRequestStream(NumberPacket.Count, NumberPacket.Type, (_, context) => CountAsync(context.Sender, context.CancellationToken))
            .On(NumberPacket.Type, (number, _) =>
            {
                if (number == InOrder)
                {
                    inOrder.TrySetResult(true);
                }
                else if (number < 0)
                {
                    Environment.Exit(-number);
                }

                Of(number).TrySetResult(true);
            });
        await using Link link = await WorkerHost.ConnectAsync(router).ConfigureAwait(false);
        await Task.WhenAny(inOrder.Task, link.Completion).ConfigureAwait(false);
        return 0;
    }

    private static async IAsyncEnumerable<int> CountAsync(IPacketSender sender, [EnumeratorCancellation] CancellationToken token)
    {
        try
        {
            for (int i = 0; ; i++)
            {
                await Task.CompletedTask.ConfigureAwait(false);
                yield return i;
            }
        }
        finally
        {
            if (token.IsCancellationRequested)
            {
                _ = sender.TrySend(NumberPacket.Type, 7, Lane.Urgent);
            }
        }
    }
}
