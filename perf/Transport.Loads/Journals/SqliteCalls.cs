using System;
using System.Runtime.InteropServices;

namespace Transport.Loads.Journals;

/// <summary>The system's SQLite, called directly: a wrapper would only make the peer slower.</summary>
internal static class SqliteCalls
{
    public const int Ok = 0;
    public const int Row = 100;
    public const int Done = 101;

    private const string Library = "libsqlite3.so.0";

    /// <summary>Finds out why there is no such library; null if there is one.</summary>
    public static string? Missing()
    {
        if (!NativeLibrary.TryLoad(Library, out IntPtr handle))
        {
            return $"no {Library} here";
        }

        NativeLibrary.Free(handle);
        return null;
    }

    [DllImport(Library, EntryPoint = "sqlite3_open")]
    public static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string file, out IntPtr database);

    [DllImport(Library, EntryPoint = "sqlite3_close")]
    public static extern int Close(IntPtr database);

    [DllImport(Library, EntryPoint = "sqlite3_exec")]
    public static extern int Execute(
        IntPtr database, [MarshalAs(UnmanagedType.LPUTF8Str)] string sql, IntPtr row, IntPtr state, IntPtr error);

    [DllImport(Library, EntryPoint = "sqlite3_prepare_v2")]
    public static extern int Prepare(
        IntPtr database, [MarshalAs(UnmanagedType.LPUTF8Str)] string sql, int length, out IntPtr statement, IntPtr tail);

    [DllImport(Library, EntryPoint = "sqlite3_step")]
    public static extern int Step(IntPtr statement);

    [DllImport(Library, EntryPoint = "sqlite3_reset")]
    public static extern int Reset(IntPtr statement);

    [DllImport(Library, EntryPoint = "sqlite3_finalize")]
    public static extern int Finish(IntPtr statement);

    [DllImport(Library, EntryPoint = "sqlite3_bind_int64")]
    public static extern int Bind(IntPtr statement, int parameter, long value);

    [DllImport(Library, EntryPoint = "sqlite3_bind_blob")]
    public static extern int Bind(IntPtr statement, int parameter, byte[] value, int length, IntPtr copy);

    [DllImport(Library, EntryPoint = "sqlite3_errmsg")]
    public static extern IntPtr Message(IntPtr database);
}
