using System;

namespace Transport;

/// <summary>Reads a child's two output pipes. Only ever reads what poll says is there, so nothing here waits for a grandchild that keeps a
/// pipe open.</summary>
internal sealed class OutputPump : IDisposable
{
    private const int Out = 0, Error = 1, End = 2;
    private readonly PollFd[] _fds = new PollFd[3];
    private readonly LineCutter[] _cutters;
    private readonly byte[] _buffer = new byte[32 << 10];

    public OutputPump(int stdout, int stderr, OutputSink sink)
    {
        _fds[Out] = new PollFd { Fd = stdout, Events = PollFd.Input };
        _fds[Error] = new PollFd { Fd = stderr, Events = PollFd.Input };
        _fds[End] = new PollFd { Fd = -1, Events = PollFd.Input };
        _cutters = [new LineCutter(isError: false, sink.Take), new LineCutter(isError: true, sink.Take)];
    }

    /// <summary>Reads until the descriptor is ready: the child has ended.</summary>
    public void ReadUntil(int end)
    {
        _fds[End].Fd = end;
        do
        {
            ChildDescriptors.Poll(_fds, -1);
            ReadReady(Out);
            ReadReady(Error);
        }
        while (!_fds[End].IsReady);

        _fds[End].Fd = -1;
    }

    /// <summary>Reads what is left, without waiting, and ends the last lines. At most <paramref name="most"/> bytes a stream: a grandchild
    /// may write forever.</summary>
    public void Drain(int most)
    {
        Span<int> left = [most, most];
        while (ChildDescriptors.Poll(_fds, 0))
        {
            for (int stream = Out; stream <= Error; stream++)
            {
                left[stream] -= ReadReady(stream);
                if (left[stream] <= 0)
                {
                    Close(stream);
                }
            }
        }

        _cutters[Out].Complete();
        _cutters[Error].Complete();
    }

    public void Dispose()
    {
        Close(Out);
        Close(Error);
    }

    private int ReadReady(int stream)
    {
        if (!_fds[stream].IsReady)
        {
            return 0;
        }

        int count = ChildDescriptors.Read(_fds[stream].Fd, _buffer);
        if (count == 0)
        {
            Close(stream);
            return 0;
        }

        _cutters[stream].Append(_buffer, count);
        return count;
    }

    private void Close(int stream)
    {
        ChildDescriptors.Close(_fds[stream].Fd);
        _fds[stream].Fd = -1; // poll skips it
        _fds[stream].Revents = 0;
    }
}
