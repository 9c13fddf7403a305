using System;
using System.Globalization;
using System.IO;

namespace Transport.Nats;

/// <summary>Messages that could not be used: each a file in the receiver's folder <c>quarantine</c>, as far as there is space for
/// it.</summary>
/// <param name="folder">The receiver's folder.</param>
/// <param name="report">Takes a line for each.</param>
internal sealed class Quarantine(string folder, Action<string>? report)
{
    private const long MostBytes = 64 << 20;

    private long _bytes;

    /// <summary>Gets how many there were.</summary>
    public long Count { get; private set; }

    /// <summary>Puts a message aside.</summary>
    /// <param name="subject">Its subject.</param>
    /// <param name="sequence">Its number in the stream.</param>
    /// <param name="message">Its bytes.</param>
    /// <param name="why">What is wrong with it, in words that follow its name.</param>
    public void Add(string subject, ulong sequence, ReadOnlySpan<byte> message, string why)
    {
        Count++;
        string kept = "it is not kept: the folder quarantine has 64 MiB";
        if (_bytes + message.Length <= MostBytes)
        {
            string file = Path.Combine(folder, "quarantine", string.Create(CultureInfo.InvariantCulture, $"{sequence}.block"));
            try
            {
                Directory.CreateDirectory(Path.GetDirectoryName(file)!);
                File.WriteAllBytes(file, message.ToArray());
                _bytes += message.Length;
                kept = $"it is kept as {file}";
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                kept = $"it cannot be kept: {e.Message}";
            }
        }

        report?.Invoke(TerminalText.Line(string.Create(
            CultureInfo.InvariantCulture, $"message {sequence} of the stream ({subject}) {why}; {kept}. The others go on")));
    }
}
