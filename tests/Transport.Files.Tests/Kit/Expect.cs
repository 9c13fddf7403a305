using System.Threading.Tasks;
using NUnit.Framework;
using NUnit.Framework.Constraints;

namespace Transport.Files.Tests.Kit;

/// <summary>Expectations and steps that many tests share.</summary>
internal static class Expect
{
    /// <summary>Expects a <see cref="TransportException"/> with a fault and a part of its message.</summary>
    public static IResolveConstraint Refuses(TransportFault fault, string text) =>
        Throws.InstanceOf<TransportException>().With.Property("Fault").EqualTo(fault).And.Message.Contains(text);

    /// <summary>Creates a symbolic link in a test's directory.</summary>
    public static async Task MakeLink(TestRoot root, string path, string target)
    {
        FileOutput output = FileOutput.Into(root.Path);
        await using (output)
        {
            output.CreateSymbolicLink(path, target);
            await output.CompleteAsync();
        }
    }
}
