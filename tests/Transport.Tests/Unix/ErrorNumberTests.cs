using System;
using System.Linq;
using System.Runtime.InteropServices;
using NUnit.Framework;

namespace Transport.Tests.Unix;

[TestFixture]
public sealed class ErrorNumberTests : UnixFixture
{
    [Test]
    public void Each_named_error_has_a_text_and_its_name()
    {
        foreach (Errno error in Enum.GetValues(typeof(Errno)).Cast<Errno>().Where(e => e != Errno.None))
        {
            Assert.That(error.Describe(), Does.EndWith($" ({error})"));
        }
    }

    [Test]
    public void An_error_without_a_name_gets_the_systems_text_and_its_number() =>
        Assert.That(((Errno)72).Describe(), Does.Match("^.+ \\(error 72\\)$"));   // EMULTIHOP of Linux

    [TestCase(11, "EDEADLK")]
    [TestCase(35, "EAGAIN")]
    [TestCase(62, "ELOOP")]
    [TestCase(66, "ENOTEMPTY")]
    [TestCase(2, "ENOENT")]
    public void Numbers_of_macOS_become_those_of_Linux(int number, string name) =>
        Assert.That(ErrorNumbers.FromMac(number).ToString(), Is.EqualTo(name));

    [Test]
    public void No_number_of_macOS_without_a_name_is_taken_for_one_of_Linux()
    {
        foreach (int number in Enumerable.Range(36, 70))
        {
            Errno error = ErrorNumbers.FromMac(number);
            Assert.That(Enum.IsDefined(typeof(Errno), error) || (int)error == number + 1000, $"{number} became {error}");
        }
    }

    [Test]
    public void A_failed_call_reports_why_and_a_good_one_nothing()
    {
        Assert.That(FilePath.TryUnlink(At("missing")), Is.EqualTo(Errno.ENOENT));
        Assert.That(FilePath.TryUnlink(CreateFile("there", "x")), Is.EqualTo(Errno.None));
        Assert.That(FilePath.TryCreateDirectory(At("."), FilePath.OwnerOnlyDirectory), Is.EqualTo(Errno.EEXIST));
        Assert.That(FileDescriptor.TryOpen(At("missing"), OpenFlags.ReadOnly, 0, out int fd), Is.EqualTo(Errno.ENOENT));
        Assert.That(fd, Is.EqualTo(-1));
    }

    [Test]
    public void Errors_that_the_runtime_makes_meanwhile_do_not_replace_the_calls_own()
    {
        for (int round = 0; round < 2000; round++)
        {
            Assert.That(FilePath.TryUnlink(At("missing/" + round)), Is.EqualTo(Errno.ENOENT));
            Assert.That(FileDescriptor.TryRead(-1, new byte[1 << 10], out _), Is.EqualTo(Errno.EBADF));
            GC.KeepAlive(new byte[100_000]);   // collections, whose own calls may fail
        }
    }

    [Test]
    public void A_path_with_a_zero_is_refused_instead_of_cut() =>
        Assert.That(() => FilePath.TryUnlink(At("a\0b")), Throws.ArgumentException);

    [Test]
    public void A_path_goes_to_the_system_as_UTF_8()
    {
        string path = CreateFile("Grüße-€-😀", "x");
        Assert.That(FileStatus.Read(path, out FileStatus status), Is.EqualTo(Errno.None));
        Assert.That(status.Size, Is.EqualTo(1));
        Assert.That(RuntimeInformation.IsOSPlatform(OSPlatform.Windows), Is.False);
    }
}
