using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.IO;

namespace Transport.TestHost.Workers;

/// <summary>Takes all file descriptors that are left when a link opens.</summary>
internal sealed class DescriptorThief : EventListener
{
    private readonly List<FileStream> _files = [];

    public void GiveBack()
    {
        lock (_files)
        {
            _files.ForEach(file => file.Dispose());
            _files.Clear();
        }
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "Transport-Link")
        {
            EnableEvents(eventSource, EventLevel.Verbose);
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventName != "LinkOpened")
        {
            return;
        }

        lock (_files)
        {
            try
            {
                while (true)
                {
                    _files.Add(new FileStream("/dev/null", FileMode.Open, FileAccess.Read));
                }
            }
            catch (IOException)
            {
                // None is left.
            }
        }
    }
}
