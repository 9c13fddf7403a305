using System;
using Transport.Loads.Measuring;

namespace Transport.Loads.Journals;

/// <summary>Somebody who keeps records, opened once and asked for as many rounds as there are.</summary>
internal interface IJournalRival : IDisposable
{
    /// <summary>Appends for so many milliseconds.</summary>
    /// <exception cref="LoadException">A record was refused, or a process ended.</exception>
    JournalSample Run(int milliseconds);
}
