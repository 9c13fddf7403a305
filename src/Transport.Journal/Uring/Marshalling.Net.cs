using System.Runtime.CompilerServices;

// The arguments of these system calls need no conversion, so they need no code that is made at run time and can be compiled ahead of time.
[assembly: DisableRuntimeMarshalling]
