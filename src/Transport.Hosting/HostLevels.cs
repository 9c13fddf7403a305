using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Transport.Hosting;

/// <summary>The levels that workers get from a host's filter rules. Rules that cannot be read are logged, and the last good ones stay: a
/// slip in a configuration file that is reloaded ends nothing. Safe from any thread.</summary>
/// <param name="services">The host's services.</param>
/// <param name="log">Takes what is wrong with rules.</param>
/// <param name="changed">Called when rules may have changed, on any thread.</param>
/// <remarks>The rules are made anew at each look, from their factory: the monitor of options throws where they are bad, and does not report
/// such a change.</remarks>
internal sealed class HostLevels(IServiceProvider services, ILogger log, Action changed) : IDisposable
{
    private readonly object _gate = new();
    private readonly List<IDisposable> _followed = [];   // under the gate, as the next two
    private LevelRules _good = new(PacketLevel.Information);
    private string? _problem;                            // the last one, logged once

    /// <summary>Returns the levels of the rules as they are, or as they last could be read.</summary>
    public LevelRules Current()
    {
        // The rules' own code, and the logger, are called without the lock: they are the program's.
        string problem;
        try
        {
            LevelRules good = FilterLevels.Of(
                services.GetRequiredService<IOptionsFactory<LoggerFilterOptions>>().Create(Options.DefaultName));
            lock (_gate)
            {
                (_good, _problem) = (good, null);
            }

            return good;
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or FormatException)
        {
            problem = e.Message;
        }

        bool isNew;
        LevelRules last;
        lock (_gate)
        {
            (isNew, last, _problem) = (_problem != problem, _good, problem);
        }

        if (isNew)
        {
            log.LogError("Logging rules cannot be used, so workers keep their levels: {Problem}", problem);
        }

        return last;
    }

    /// <summary>Reports changes from now on.</summary>
    public void Follow()
    {
        IDisposable[] followed = [.. services.GetServices<IOptionsChangeTokenSource<LoggerFilterOptions>>()
            .Select(source => ChangeToken.OnChange(source.GetChangeToken, changed))];
        lock (_gate)
        {
            _followed.AddRange(followed);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        IDisposable[] followed;
        lock (_gate)
        {
            followed = [.. _followed];
            _followed.Clear();
        }

        Array.ForEach(followed, static one => one.Dispose());   // waits for a callback that runs, which takes the lock
    }
}
