using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Transport.TestHost.Workers;

/// <summary>Ways for a program to die. Each is called on a thread of its own, so that nothing catches what it throws.</summary>
internal static class Exits
{
    private static readonly Dictionary<string, Action<string>> All = new(StringComparer.Ordinal)
    {
        ["kill"] = signal => KillSelf(Number(signal)),
        ["fault"] = _ => Native.strlen((IntPtr)8),
        ["exit"] = code => Program._exit(Number(code)),
        ["throw"] = text => throw new InvalidOperationException(text),
        ["failfast"] = text => Environment.FailFast(text),
        ["static-exit"] = code => Console.WriteLine(LeavesAtOnce.Of(code)),
        ["static-throw"] = _ => Console.WriteLine(Throws.Value),
        ["stack"] = _ => Console.WriteLine(Recurse(0)),
        ["native-stack"] = RecurseInC,
        ["heap"] = _ => FillHeap(),
        ["memory"] = _ => FillMemory(),
    };

    /// <summary>Dies. HOW is a name and, after a colon, what it needs.</summary>
    public static void Die(string how)
    {
        string[] words = how.Split([':'], 2);
        Action<string> exit = All[words[0]];
        new Thread(() => exit(words.Length > 1 ? words[1] : string.Empty)).Start();
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>Again and again: .NET takes the first SIGSEGV for a fault that will come back, returns to where it came from, and only then
    /// lets the next one through.</summary>
    /// <remarks>To this thread, which is in native code then. A signal to the process goes to its main thread: if that still runs
    /// managed code, .NET 10 handles it as a fault of that code, and with the next one in the middle of it gives up by SIGABRT ("stack
    /// smashing detected": 1 time in 6, if the main thread never rests).</remarks>
    private static void KillSelf(int signal)
    {
        while (Native.raise(signal) == 0)
        {
            Thread.Yield();
        }
    }

    // Twice, so that it is no tail call.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Recurse(int depth) => Recurse(depth + 1) + Recurse(depth + 2);

    /// <summary>Managed arrays, kept.</summary>
    private static void FillHeap()
    {
        var kept = new List<byte[]>();
        while (true)
        {
            kept.Add(new byte[1 << 20]);
        }
    }

    /// <summary>Memory of the C library, each page of it written to.</summary>
    private static void FillMemory()
    {
        while (true)
        {
            IntPtr block = Marshal.AllocHGlobal(1 << 20);
            for (int at = 0; at < 1 << 20; at += 4096)
            {
                Marshal.WriteByte(block, at, 1);
            }
        }
    }

    private static void RecurseInC(string library)
    {
        IntPtr handle = Native.dlopen(library, 2);
        IntPtr function = Native.dlsym(handle, "recurse");
        if (function == IntPtr.Zero)
        {
            throw new FileNotFoundException(library);
        }

        Console.WriteLine(Marshal.GetDelegateForFunctionPointer<Native.Recursion>(function)(0));
    }

    private static class LeavesAtOnce
    {
        private static readonly int _code = Leave();

        public static int Of(string code) => _code + code.Length;

        private static int Leave()
        {
            Environment.Exit(5);
            return 0;
        }
    }

    private static class Throws
    {
        public static readonly int Value = Fail();

        private static int Fail() => throw new InvalidOperationException("thrown in a static constructor");
    }

    private static class Native
    {
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        public delegate int Recursion(int depth);

        [DllImport("libc")]
        public static extern int raise(int signal);

        [DllImport("libc")]
        public static extern UIntPtr strlen(IntPtr text);

        [DllImport("libc", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
        public static extern IntPtr dlopen(string file, int flags);

        [DllImport("libc", CharSet = CharSet.Ansi, BestFitMapping = false, ThrowOnUnmappableChar = true)]
        public static extern IntPtr dlsym(IntPtr handle, string name);
    }
}
