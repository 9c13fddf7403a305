using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Transport.Journal;

/// <summary>One io_uring: requests go in one by one, results come out. For one thread at a time.</summary>
internal sealed unsafe class Ring : IDisposable
{
    private const long SubmissionAt = 0, CompletionAt = 0x8000000, RequestsAt = 0x10000000;
    private const int WaitForResults = 1;   // IORING_ENTER_GETEVENTS

    private readonly int _handle;
    private readonly long _submissionBytes, _completionBytes, _requestBytes;
    private readonly byte* _submission, _completion;
    private readonly RingRequest* _requests;
    private readonly RingParameters _parameters;
    private bool _isDisposed;

    private Ring(int handle, in RingParameters parameters)
    {
        _handle = handle;
        _parameters = parameters;
        _submissionBytes = parameters.Submission.Array + (parameters.SubmissionEntries * sizeof(uint));
        _completionBytes = parameters.Completion.Entries + (parameters.CompletionEntries * (uint)sizeof(RingResult));
        _requestBytes = parameters.SubmissionEntries * (uint)sizeof(RingRequest);
        _submission = (byte*)RingCalls.Map(handle, _submissionBytes, SubmissionAt);
        _completion = (byte*)RingCalls.Map(handle, _completionBytes, CompletionAt);
        _requests = (RingRequest*)RingCalls.Map(handle, _requestBytes, RequestsAt);
    }

    /// <summary>Makes a ring, or says why that is not possible.</summary>
    public static Ring? TryMake(int entries, out Errno error)
    {
        RingParameters parameters = default;
        int handle = RingCalls.SetUp((uint)entries, &parameters);
        if (handle < 0)
        {
            error = RingCalls.LastError;
            return null;
        }

        error = Errno.None;
        var ring = new Ring(handle, parameters);
        if ((nint)ring._submission == -1 || (nint)ring._completion == -1 || (nint)ring._requests == -1)
        {
            error = RingCalls.LastError;
            ring.Dispose();
            return null;
        }

        return ring;
    }

    /// <summary>Hands one request to the kernel. There is always capacity: never more are under way than the ring has entries.</summary>
    public StoreError Submit(in RingRequest request)
    {
        ref uint tail = ref At(_submission, _parameters.Submission.Tail);
        uint before = tail;
        uint index = before & At(_submission, _parameters.Submission.Mask);
        _requests[index] = request;
        ((uint*)(_submission + _parameters.Submission.Array))[index] = index;
        Volatile.Write(ref tail, before + 1);
        int taken;
        while ((taken = RingCalls.SubmitAndWait(_handle, 1, 0, 0)) < 1)
        {
            Errno error = taken < 0 ? RingCalls.LastError : Errno.EAGAIN;
            if (error is not (Errno.EINTR or Errno.EAGAIN or Errno.EBUSY))
            {
                tail = before;   // or the next call would submit this one; the kernel looks at it in the call only
                return StoreErrors.Of(error);
            }
        }

        return StoreError.None;
    }

    /// <summary>Waits for a result.</summary>
    public RingResult Take()
    {
        ref uint head = ref At(_completion, _parameters.Completion.Head);
        while (head == Volatile.Read(ref At(_completion, _parameters.Completion.Tail)))
        {
            if (RingCalls.SubmitAndWait(_handle, 0, 1, WaitForResults) < 0 && RingCalls.LastError is var error
                and not (Errno.EINTR or Errno.EAGAIN or Errno.EBUSY))
            {
                throw StoreErrors.Failed("A ring's results cannot be waited for", error);
            }
        }

        RingResult result = ((RingResult*)(_completion + _parameters.Completion.Entries))[head & At(
            _completion, _parameters.Completion.Mask)];
        Volatile.Write(ref head, head + 1);
        return result;
    }

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Unmap(_submission, _submissionBytes);
            Unmap(_completion, _completionBytes);
            Unmap((byte*)_requests, _requestBytes);
            RingCalls.Close(_handle);
        }
    }

    private static void Unmap(byte* at, long bytes)
    {
        if ((nint)at != -1)
        {
            RingCalls.Unmap((IntPtr)at, bytes);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref uint At(byte* ring, uint offset) => ref *(uint*)(ring + offset);
}
