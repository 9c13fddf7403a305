using System.Threading;

namespace Transport.Journal;

/// <content>The pool's work item is this object itself: nothing is allocated.</content>
internal sealed partial class AppendSourcePool : IThreadPoolWorkItem
{
    void IThreadPoolWorkItem.Execute() => RunAll();

    private void Queue() => _ = ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
}
