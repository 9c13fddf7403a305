using System.Threading;

namespace Transport.Journal;

/// <content>One small object a commit: the old runtimes have no work items of one's own.</content>
internal sealed partial class AppendSourcePool
{
    private static readonly WaitCallback Callback = static state => ((AppendSourcePool)state!).RunAll();

    private void Queue() => _ = ThreadPool.UnsafeQueueUserWorkItem(Callback, this);
}
