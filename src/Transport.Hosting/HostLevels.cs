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
        lock (_gate)
        {
            try
            {
                _good = FilterLevels.Of(services.GetRequiredService<IOptionsFactory<LoggerFilterOptions>>().Create(Options.DefaultName));
                _problem = null;
            }
            catch (Exception e) when (e is InvalidOperationException or ArgumentException or FormatException)
            {
                if (_problem != e.Message)
                {
                    _problem = e.Message;
                    log.LogError("Logging rules cannot be used, so workers keep their levels: {Problem}", e.Message);
                }
            }

            return _good;
        }
    }

    /// <summary>Reports changes from now on.</summary>
    public void Follow()
    {
        lock (_gate)
        {
            _followed.AddRange(services.GetServices<IOptionsChangeTokenSource<LoggerFilterOptions>>()
                .Select(source => ChangeToken.OnChange(source.GetChangeToken, changed)));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _followed.ForEach(static one => one.Dispose());
            _followed.Clear();
        }
    }
}
