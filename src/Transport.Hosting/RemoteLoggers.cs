using System;
using System.Collections.Generic;
using Microsoft.Extensions.Logging;
using Transport.Logging;

namespace Transport.Hosting;

/// <summary>Loggers of the host for what workers log. A factory keeps each category for ever, and workers choose them, so there are at most
/// <see cref="MaxCategories"/>; events of further ones have <see cref="Others"/>, and their own category as a scope. Safe from any
/// thread.</summary>
internal sealed class RemoteLoggers(ILoggerFactory loggers)
{
    /// <summary>How many categories of workers a host tells apart.</summary>
    public const int MaxCategories = 4096;

    /// <summary>The longest category that is one of its own.</summary>
    public const int MaxCategoryLength = 1024;

    /// <summary>The category of all others.</summary>
    public const string Others = "Transport.Hosting.OtherCategories";

    private readonly Dictionary<string, ILogger> _known = new(StringComparer.Ordinal);   // under the lock
    private readonly object _gate = new();
    private bool _isTold;   // also

    /// <summary>Logs an event.</summary>
    /// <param name="one">The event.</param>
    /// <param name="node">The worker's name.</param>
    public void Write(LogEvent one, string node)
    {
        if (Find(one.Category) is { } own)
        {
            one.WriteTo(own, node);
            return;
        }

        ILogger others = loggers.CreateLogger(Others);
        bool wasTold;
        lock (_gate)
        {
            (wasTold, _isTold) = (_isTold, true);
        }

        if (!wasTold)
        {
            others.LogWarning(
                "Workers have logged under more than {Categories} categories, or under one of over {Characters} characters: events of "
                    + "others come under this one, with their own as a scope", MaxCategories, MaxCategoryLength);
        }

        using (others.BeginScope(TerminalText.Line(one.Category, MaxCategoryLength)))
        {
            one.WriteTo(others, node);
        }
    }

    private ILogger? Find(string category)
    {
        lock (_gate)
        {
            if (_known.TryGetValue(category, out ILogger? known))
            {
                return known;
            }

            if (_known.Count == MaxCategories || category.Length > MaxCategoryLength)
            {
                return null;
            }

            ILogger made = loggers.CreateLogger(TerminalText.Line(category));
            _known.Add(category, made);
            return made;
        }
    }
}
