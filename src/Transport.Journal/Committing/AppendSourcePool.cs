using System.Threading;

namespace Transport.Journal;

/// <summary>The sources that nobody uses now, and the line of those whose awaiting code is to run.</summary>
internal sealed partial class AppendSourcePool
{
    private const int MostFree = 65_536;

    private readonly object _lock = new();
    private Waiter? _free;
    private int _freeCount;
    private Waiter? _first;
    private Waiter? _last;
    private bool _isQueued;

    public AppendSource Rent()
    {
        AppendSource? source;
        lock (_lock)
        {
            source = (AppendSource?)_free;
            if (source is not null)
            {
                _free = source.Next;
                _freeCount--;
            }
        }

        source ??= new AppendSource(this);
        source.Rent();
        return source;
    }

    public void Return(AppendSource source)
    {
        lock (_lock)
        {
            if (_freeCount < MostFree)
            {
                source.Next = _free;
                _free = source;
                _freeCount++;
            }
        }
    }

    /// <summary>Lets the pool run what awaits these, in order; they are marked complete already.</summary>
    public void Run(AppendSource first, AppendSource last)
    {
        lock (_lock)
        {
            if (_first is null)
            {
                _first = first;
            }
            else
            {
                _last!.Next = first;
            }

            _last = last;
            if (_isQueued)
            {
                return;
            }

            _isQueued = true;
        }

        Queue();
    }

    /// <summary>Runs on a thread of the pool. While it runs somebody's code another thread is on its way, should that code block.</summary>
    private void RunAll()
    {
        bool isFirst = true;
        while (true)
        {
            AppendSource? source;
            bool another;
            lock (_lock)
            {
                _isQueued &= !isFirst;
                isFirst = false;
                source = (AppendSource?)_first;
                if (source is null)
                {
                    return;
                }

                _first = source.Next;
                _last = _first is null ? null : _last;
                source.Next = null;
                another = _first is not null && !_isQueued;
                _isQueued |= another;
            }

            if (another)
            {
                Queue();
            }

            source.Run();
        }
    }
}
