using System;
using System.Threading;
using System.Threading.Tasks;
using Transport;

namespace Transport.Nats.Helper;

/// <summary>The one handler, as workers and agents without workers have it.</summary>
public static class Answers
{
    /// <summary>Makes a router with it.</summary>
    /// <param name="cancelled">Called if a request is cancelled that waits for that; or null.</param>
    public static PacketRouter Router(Action? cancelled = null) => new PacketRouter().OnRequest<Square, Squared, Step>(
        (square, progress, context) => AnswerAsync(square, progress, cancelled, context.CancellationToken));

    private static async Task<Squared> AnswerAsync(
        Square square, IProgress<Step> progress, Action? cancelled, CancellationToken cancellationToken)
    {
        progress.Report(new Step(50));
        switch (square.How)
        {
            case "crash":
                Environment.FailFast("a test");
                break;
            case "throw":
                throw new InvalidOperationException("thrown for the test");
            case "wait":
                try
                {
                    await Task.Delay(Timeout.Infinite, cancellationToken).ConfigureAwait(false);
                }
                finally
                {
                    cancelled?.Invoke();
                }

                break;
        }

        if (square.Milliseconds > 0)
        {
            await Task.Delay(square.Milliseconds, cancellationToken).ConfigureAwait(false);
        }

        byte[] filler = new byte[square.Bytes];
        new Random((int)square.Number).NextBytes(filler);
        return new Squared(square.Number * square.Number, Environment.ProcessId, filler);
    }
}
