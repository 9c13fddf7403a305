using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport;

/// <summary>Strings for the C library: UTF-8, ended by NUL, and null-ended vectors of them. Given back together.</summary>
internal sealed unsafe class NativeStrings : IDisposable
{
    private readonly List<IntPtr> _blocks = new();

    public byte* One(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        IntPtr block = Block(bytes.Length + 1);
        Marshal.Copy(bytes, 0, block, bytes.Length);
        ((byte*)block)[bytes.Length] = 0;
        return (byte*)block;
    }

    public byte** Vector(IReadOnlyList<string> texts)
    {
        var vector = (byte**)Block((texts.Count + 1) * sizeof(byte*));
        for (int i = 0; i < texts.Count; i++)
        {
            vector[i] = One(texts[i]);
        }

        vector[texts.Count] = null;
        return vector;
    }

    public void Dispose()
    {
        foreach (IntPtr block in _blocks)
        {
            Marshal.FreeHGlobal(block);
        }

        _blocks.Clear();
    }

    private IntPtr Block(int bytes)
    {
        IntPtr block = Marshal.AllocHGlobal(bytes);
        _blocks.Add(block);
        return block;
    }
}
