using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The one thread of a listener: accepts connections and reads the Hello of all that are pending, each under its own deadline.
/// </summary>
/// <remarks>Only <see cref="Stop"/> and the timers come from other threads: they set a flag, then wake this one.</remarks>
internal sealed class HandshakeThread
{
    /// <summary>How many connections are accepted before pending ones are looked at again.</summary>
    private const int MaxAcceptedAtOnce = 64;

    private readonly IWireListener _wires;
    private readonly LinkOptions _options;
    private readonly IHandshakeOwner _owner;
    private readonly List<AcceptingHandshake> _pending = [];   // oldest first
    private readonly List<IWire> _inputs = [];                 // the wires of the pending, in the same order
    private readonly List<int> _ready = [];
    private readonly TaskCompletionSource<bool> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _failures;                // accepts that failed in a row
    private volatile bool _isPaused;      // set by this thread after a failed accept, cleared by a timer before it wakes this thread
    private volatile bool _isStopping;    // set by Stop before it wakes this thread

    private HandshakeThread(IWireListener wires, LinkOptions options, IHandshakeOwner owner)
    {
        _wires = wires;
        _options = options;
        _owner = owner;
    }

    /// <summary>Gets what completes when the thread has ended: nothing is pending, and the listener is disposed.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Starts the thread.</summary>
    /// <param name="wires">The listener; the thread disposes it at its end.</param>
    /// <param name="options">The listener's options.</param>
    /// <param name="owner">Is called on the thread, one call at a time.</param>
    /// <returns>Null if the system gives no thread.</returns>
    public static HandshakeThread? TryStart(IWireListener wires, LinkOptions options, IHandshakeOwner owner)
    {
        if (PumpThread.TryStart("transport listen") is not { } thread)
        {
            return null;
        }

        var handshakes = new HandshakeThread(wires, options, owner);
        thread.Run(handshakes.Run);
        thread.End();
        return handshakes;
    }

    /// <summary>Ends the thread; <see cref="Ended"/> completes soon. Any thread, any number of times.</summary>
    public void Stop()
    {
        _isStopping = true;
        _wires.Wake();
    }

    private void Run()
    {
        Exception? failure = null;
        try
        {
            while (!_isStopping)
            {
                _ready.Clear();
                _wires.Wait(_inputs, _ready, accept: !_isPaused);
                ReadHellos();
                AcceptWaiting();
            }
        }
        catch (Exception defect)
        {
            failure = defect;
        }

        End(failure);
    }

    private void ReadHellos()
    {
        bool anyDone = false;
        foreach (int index in _ready)
        {
            anyDone |= Advance(_pending[index]);
        }

        foreach (AcceptingHandshake handshake in _pending)
        {
            if (handshake is { IsLate: true, IsDone: false })
            {
                Refuse(handshake, handshake.RefuseAsLate());
                anyDone = true;
            }
        }

        if (anyDone)
        {
            _pending.RemoveAll(static h => h.IsDone);
            ListInputs();
        }
    }

    /// <summary>Reads what has come of a Hello, and answers it once it is whole.</summary>
    /// <returns>Whether the handshake is over.</returns>
    private bool Advance(AcceptingHandshake handshake)
    {
        try
        {
            if (!handshake.TryReadHello())
            {
                return false;
            }
        }
        catch (Exception e)
        {
            Refuse(handshake, e as TransportException
                ?? new TransportException(TransportFault.PeerGone, "Reading Hello failed: " + ExceptionText.MessageOf(e), e));
            return true;
        }

        handshake.Dispose();
        Report(() => _owner.OnHello(handshake));
        return true;
    }

    private void AcceptWaiting()
    {
        for (int count = 0; count < MaxAcceptedAtOnce && !_isPaused && !_isStopping; count++)
        {
            try
            {
                if (_wires.TryAccept() is not { } wire)
                {
                    return;
                }

                _failures = 0;
                Admit(wire);
            }
            catch (IOException e)
            {
                OnAcceptFailed(e);
            }
        }
    }

    /// <summary>Adds a connection. If too many are pending the oldest goes, so that silent clients cannot keep a real one out.</summary>
    private void Admit(IWire wire)
    {
        var handshake = new AcceptingHandshake(wire, _options, _wires.Wake);
        try
        {
            handshake.CheckIdentity();
        }
        catch (TransportException refusal)
        {
            Refuse(handshake, refusal);
            return;
        }

        if (_pending.Count >= _options.MaxPendingHandshakes)
        {
            Refuse(_pending[0], AcceptingHandshake.RefuseAsOldest());
            _pending.RemoveAt(0);
        }

        _pending.Add(handshake);
        ListInputs();
    }

    /// <summary>One connection failed. If the system has no descriptors left, asking again at once would spin.</summary>
    private void OnAcceptFailed(IOException failure)
    {
        _failures++;
        string why = ExceptionText.MessageOf(failure);
        if (failure is DescriptorLimitException crowded)
        {
            TransportEventSource.Log.AcceptFailed(_failures, why);
            var handshake = new AcceptingHandshake(crowded.Wire, _options, static () => { });
            Refuse(handshake, handshake.RefuseForWantOfDescriptors());
        }
        else
        {
            Report(() => _owner.OnAcceptFailed(_failures, why));
        }

        _isPaused = true;
        var pause = new Delay(_options.TimeProvider, TimeSpan.FromMilliseconds(Math.Min(1 << Math.Min(_failures, 7), 100)));
        _ = pause.Task.ContinueWith(
            (_, state) =>
            {
                ((Delay)state!).Dispose();
                _isPaused = false;
                _wires.Wake();
            },
            pause,
            CancellationToken.None,
            TaskContinuationOptions.None,
            TaskScheduler.Default);
    }

    private void Refuse(AcceptingHandshake handshake, TransportException refusal)
    {
        handshake.Dispose();
        Report(() => _owner.OnRefused(handshake, refusal));
    }

    /// <summary>A defect of the owner costs one connection at most, not the listener.</summary>
    private void Report(Action report)
    {
        try
        {
            report();
        }
        catch (Exception defect)
        {
            TransportEventSource.Log.AcceptFailed(_failures, "A defect of the listener's owner: " + ExceptionText.Full(defect));
        }
    }

    private void ListInputs()
    {
        _inputs.Clear();
        foreach (AcceptingHandshake handshake in _pending)
        {
            _inputs.Add(handshake.Wire);
        }
    }

    /// <param name="failure">What has ended the thread; null if it was stopped.</param>
    private void End(Exception? failure)
    {
        try
        {
            _isStopping = true;
            Report(_wires.Dispose);
            foreach (AcceptingHandshake handshake in _pending)
            {
                Refuse(handshake, AcceptingHandshake.RefuseAtEnd(failure));
            }

            if (failure is not null)
            {
                Report(() => _owner.OnFailed(failure));
            }
        }
        finally
        {
            _ended.TrySetResult(true);
        }
    }
}

/// <summary>What the handshakes of a listener report it. All calls come from the listener's thread, one at a time; none may
/// throw.</summary>
internal interface IHandshakeOwner
{
    /// <summary>Hello is whole: checks it, and makes a link or refuses.</summary>
    void OnHello(AcceptingHandshake handshake);

    /// <summary>There will be no link.</summary>
    void OnRefused(AcceptingHandshake handshake, TransportException refusal);

    /// <summary>No connection could be taken.</summary>
    /// <param name="failures">How many times in a row.</param>
    /// <param name="why">The system's reason.</param>
    void OnAcceptFailed(int failures, string why);

    /// <summary>The thread ends by a defect: nobody can connect any more.</summary>
    void OnFailed(Exception failure);
}
