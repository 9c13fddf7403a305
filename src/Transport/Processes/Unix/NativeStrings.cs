using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Transport;

/// <summary>Strings for the C library: UTF-8, ended by NUL, and null-ended vectors of them. Given back together.</summary>
internal sealed unsafe class NativeStrings : IDisposable
{
    private IntPtr[] _blocks = new IntPtr[4];
    private int _count;

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
        while (_count > 0)
        {
            Marshal.FreeHGlobal(_blocks[--_count]);
        }
    }

    private IntPtr Block(int bytes)
    {
        if (_count == _blocks.Length)
        {
            Array.Resize(ref _blocks, _count * 2);
        }

        return _blocks[_count++] = Marshal.AllocHGlobal(bytes);
    }
}
