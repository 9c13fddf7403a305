using System;

namespace Transport.Journal;

/// <summary>Adds io_uring to a journal's options.</summary>
public static class JournalUring
{
    /// <summary>Lets a journal write by io_uring if its options or <c>TRANSPORT_JOURNAL_IO=uring</c> ask for it.</summary>
    /// <remarks>A journal needs this to write in blocks, not to read or to continue what was written in blocks.</remarks>
    /// <param name="options">The options.</param>
    /// <returns>The same options.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    public static JournalOptions AddUring(this JournalOptions options)
    {
        if (options is null)
        {
            throw new ArgumentNullException(nameof(options));
        }

        options.BlockBackEnd = new UringBlocks();
        return options;
    }
}
