using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>A load between two processes that this one only orders: each may run on another runtime.</summary>
internal sealed class PairCourse : IDisposable
{
    private readonly RunOptions _options;
    private readonly LoadWorker _receiver;
    private readonly LoadWorker _sender;
    private readonly RoundLength _length;

    /// <summary>Initializes a new instance of the <see cref="PairCourse"/> class: starts both.</summary>
    /// <param name="options">The options.</param>
    /// <param name="worker">What the sender runs on.</param>
    /// <param name="main">What the receiver, which listens, runs on.</param>
    /// <param name="what">What is received: see <see cref="ReceiveJob.Make"/>.</param>
    /// <param name="job">What the sender does.</param>
    /// <param name="least">The fewest packets of a round.</param>
    /// <param name="receive">What the receiver does.</param>
    public PairCourse(
        RunOptions options, WorkerKind worker, WorkerKind main, string what, string job, int least, string receive = "receive")
    {
        _options = options;
        _length = new RoundLength(options, least, 2_000_000, Run);
        _receiver = new LoadWorker(main, string.Empty, receive, what);
        _receiver.Go("address");
        string[] address = _receiver.Done().Split(' ');
        _sender = new LoadWorker(worker, address[1], job, address[0], what);
    }

    /// <summary>Measures several pairs of processes in interleaved rounds.</summary>
    /// <param name="options">The options.</param>
    /// <param name="pairs">What sender and receiver of each column run on.</param>
    /// <param name="what">What is received.</param>
    /// <param name="job">What the senders do.</param>
    /// <param name="least">The fewest packets of a round.</param>
    /// <param name="held">Takes the bytes of memory that each receiver holds when all is over; null: that is not asked.</param>
    public static List<Dictionary<string, Sample>> Rounds(
        RunOptions options, Dictionary<string, (WorkerKind Worker, WorkerKind Main)> pairs, string what, string job, int least,
        Action<string, double>? held = null)
    {
        var courses = new Dictionary<string, PairCourse>(StringComparer.Ordinal);
        var rounds = new List<Dictionary<string, Sample>>();
        try
        {
            foreach ((string name, (WorkerKind worker, WorkerKind main)) in pairs)
            {
                courses[name] = new PairCourse(options, worker, main, what, job, least, held is null ? "receive" : "receive-held");
                courses[name].WarmUp();
            }

            for (int i = 0; i < options.Rounds; i++)
            {
                rounds.Add(Turns.Rotated(courses.Keys, i).ToDictionary(c => c, c => courses[c].Run(), StringComparer.Ordinal));
            }

            if (held is not null)
            {
                Hold(courses, held);
            }
        }
        finally
        {
            foreach (PairCourse course in courses.Values)
            {
                course.Dispose();
            }
        }

        return rounds;
    }

    /// <summary>Runs until the code is warm, and finds how many packets make a round.</summary>
    public void WarmUp() => _length.WarmUp();

    public Sample Run() => _length.Run();

    public void Dispose()
    {
        _sender.Dispose();
        _receiver.Dispose();
    }

    /// <summary>Asks all receivers at once: each waits until it is quiet.</summary>
    private static void Hold(Dictionary<string, PairCourse> courses, Action<string, double> held)
    {
        foreach (PairCourse course in courses.Values)
        {
            course._receiver.Go("held");
        }

        foreach ((string name, PairCourse course) in courses)
        {
            held(name, double.Parse(course._receiver.Done(), CultureInfo.InvariantCulture));
        }
    }

    private Sample Run(int count)
    {
        _receiver.Go("expect", count);
        _receiver.Done();
        long start = System.Diagnostics.Stopwatch.GetTimestamp();
        _sender.Go(count);
        _receiver.On("wait");
        _receiver.Done();
        double seconds = System.Diagnostics.Stopwatch.GetElapsedTime(start).TotalSeconds;
        Usage received = _receiver.Stop();
        _sender.Done();
        Usage sent = _sender.Stop();
        return new Sample(count, seconds, sent.CpuMicros, received.CpuMicros, sent.Allocated, received.Allocated)
        {
            Compiled = sent.Compiled + received.Compiled,
        };
    }
}
