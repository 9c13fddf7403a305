using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>From MSBuild's event to the link: reads it, masks it, sends it. What is raised before the link is there waits for it. One
/// thread at a time.</summary>
internal sealed class EventFeed
{
    private readonly BuildEventReader _reader;
    private readonly SecretMask? _mask;
    private readonly Queue<BuildEvent> _early = new();
    private EventStream? _stream;
    private long _events;
    private string? _fault;

    public EventFeed(LoggerSettings settings)
    {
        _reader = new BuildEventReader { KeepsParts = !settings.IsMasking };   // a mask looks into every message
        if (settings.IsMasking)
        {
            _mask = new SecretMask(new SecretNames(settings.Secrets, settings.NoSecrets));
            _mask.AddOwn();
        }
    }

    /// <summary>Gets what is to be said of the mask at the end; null if it knew all secrets.</summary>
    public string? MaskProblem => _mask is { Overflow: > 0 and var left }
        ? $"{left} values of secrets, or lines of them, were not looked for: there are too many" : null;

    /// <summary>Sends what waits, and from now on each event as it is raised.</summary>
    public void Start(EventStream stream)
    {
        _stream = stream;
        while (_early.Count > 0)
        {
            stream.Send(_early.Dequeue());
        }
    }

    /// <summary>Takes an event while it is being raised. Never throws: a logger that throws ends the build (dotnet/msbuild 6564).</summary>
    public void Take(BuildEventArgs args)
    {
        _events++;
        try
        {
            BuildEvent one = _reader.Read(args);
            one = _mask is null ? one : _mask.Apply(one);
            if (_stream is null)
            {
                _early.Enqueue(one);
            }
            else
            {
                _stream.Send(one);
            }
        }
#pragma warning disable CA1031 // whatever an event's own class does when it is read
        catch (Exception e)
#pragma warning restore CA1031
        {
            // It was counted, and will not be acknowledged: the report at the end has it.
            _fault ??= $"an event of type {args?.GetType().Name} cannot be read: {e.GetType().Name}: {e.Message}";
        }
    }

    /// <summary>Sends what is queued and ends the link.</summary>
    /// <param name="wait">How long that may take.</param>
    public Task<StreamReport> CloseAsync(TimeSpan wait) => _stream!.CloseAsync(_events, _fault, wait);
}
