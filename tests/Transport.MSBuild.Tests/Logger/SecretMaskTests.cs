using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Logger;

internal sealed class SecretMaskTests
{
    private const string Value = "s3cret-value-17";

    [TestCase("GITHUB_TOKEN")]
    [TestCase("NuGetApiKey")]
    [TestCase("SIGNING_KEY")]
    [TestCase("SigningKey")]
    [TestCase("DbPassword")]
    [TestCase("ConnectionStrings__Main")]
    [TestCase("AWS_SECRET_ACCESS_KEY")]
    [TestCase("AzureCredentials")]
    public void A_value_with_a_secrets_name_is_masked_there_and_wherever_it_stands(string name)
    {
        SecretMask mask = Create();

        BuildEvent start = mask.Apply(Environment((name, Value)));
        BuildEvent later = mask.Apply(Message($"push --token={Value} to 'server;pwd={Value}'."));

        Assert.That(start.Map("BuildEnvironment")!.Entries[0].Value, Is.EqualTo("***"));
        Assert.That(later.Message, Is.EqualTo("push --token=*** to 'server;pwd=***'."));
    }

    [TestCase("PWD")]
    [TestCase("OLDPWD")]
    [TestCase("PublicKeyToken")]
    [TestCase("AssemblyOriginatorKeyFile")]
    [TestCase("AWS_ACCESS_KEY_ID")]
    [TestCase("UserSecretsId")]
    [TestCase("Monkey")]
    [TestCase("Configuration")]
    public void A_value_with_another_name_is_left(string name)
    {
        SecretMask mask = Create();
        BuildEvent start = Environment((name, Value));

        Assert.That(mask.Apply(start), Is.SameAs(start));
        BuildEvent message = Message("with " + Value);
        Assert.That(mask.Apply(message), Is.SameAs(message));
    }

    [Test]
    public void Names_may_be_added_and_taken_away()
    {
        var mask = new SecretMask(new SecretNames(["Recipe"], ["PackageToken"]));

        mask.Apply(Environment(("recipe", "flour-and-water"), ("PackageToken", "not-a-secret-1")));

        Assert.That(mask.Apply(Message("flour-and-water, not-a-secret-1")).Message, Is.EqualTo("***, not-a-secret-1"));
    }

    [Test]
    public void Only_whole_words_are_masked_and_only_long_ones_elsewhere()
    {
        SecretMask mask = Create();

        BuildEvent start = mask.Apply(Environment(("A_TOKEN", "Release1"), ("B_TOKEN", "abc")));

        Assert.That(start.Map("BuildEnvironment")!.Entries.ToArray().Select(entry => entry.Value), Is.EqualTo(new[] { "***", "***" }));
        Assert.That(mask.Apply(Message("Release1 Release12 XRelease1 /Release1/ abc")).Message,
            Is.EqualTo("*** Release12 XRelease1 /***/ abc"));
    }

    [Test]
    public void Parameters_of_tasks_that_are_called_keys_are_none_and_those_called_secrets_are()
    {
        SecretMask mask = Create();

        mask.Apply(Parameter("LeftKey", "FileName"));
        mask.Apply(Parameter("AccessToken", Value));

        Assert.That(mask.Apply(Message("FileName " + Value)).Message, Is.EqualTo("FileName ***"));
    }

    [Test]
    public void A_property_on_the_command_line_is_known_from_the_message_that_repeats_it()
    {
        SecretMask mask = Create();

        BuildEvent line = mask.Apply(Message($"Command line arguments = \"msbuild -p:Colour=red;FeedPassword={Value} x.proj\""));

        Assert.That(line.Message, Does.Contain("FeedPassword=***").And.Contain("Colour=red"));
    }

    [Test]
    public void Values_are_found_as_MSBuild_and_addresses_escape_them_and_line_by_line()
    {
        SecretMask mask = Create();

        mask.Apply(Environment(
            ("CONNECTIONSTRING", "Server=a;Pwd=b(c)"), ("PRIVATE_KEY_SECRET", "-----BEGIN-----\nMIIEvQIBADAN\n-----END-----")));

        Assert.That(mask.Apply(Message("x Server=a%3bPwd=b%28c%29 y")).Message, Is.EqualTo("x *** y"));
        Assert.That(mask.Apply(Message("x Server%3Da%3BPwd%3Db%28c%29 y")).Message, Is.EqualTo("x *** y"));
        Assert.That(mask.Apply(Message("the line MIIEvQIBADAN alone")).Message, Is.EqualTo("the line *** alone"));
    }

    [Test]
    public void Of_two_secrets_of_which_one_begins_the_other_the_longer_one_is_masked_whole()
    {
        SecretMask mask = Create();

        mask.Apply(Environment(("A_TOKEN", "aaaa-bbbb"), ("B_TOKEN", "aaaa-bbbb-cccc")));

        Assert.That(mask.Apply(Message("aaaa-bbbb-cccc aaaa-bbbb")).Message, Is.EqualTo("*** ***"));
    }

    /// <summary>Against a search that knows nothing of the others: texts of few letters, with many secrets that overlap.</summary>
    [Test]
    public void No_whole_secret_is_left_in_any_text([Values(1, 2, 3)] int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 200; round++)
        {
            var values = new SecretValues();
            string[] secrets = [.. Enumerable.Range(0, 1 + random.Next(5)).Select(_ => Word(random, 8 + random.Next(4)))];
            foreach (string secret in secrets)
            {
                values.Add(secret);
            }

            string text = string.Concat(Enumerable.Range(0, 30).Select(_ => random.Next(3) == 0 ? secrets[random.Next(secrets.Length)]
                : random.Next(2) == 0 ? " " : Word(random, 2)));
            string masked = values.Without(text);

            Assert.That(masked.Split(' ').Intersect(secrets), Is.Empty, text);
            Assert.That(values.Without(masked), Is.EqualTo(masked), "nothing more is found");
        }
    }

    private static string Word(Random random, int length) =>
        string.Concat(Enumerable.Range(0, length).Select(_ => "ab-"[random.Next(3)]));

    private static SecretMask Create() => new(new SecretNames([], []));

    private static BuildEvent Message(string text) => new()
    {
        Kind = BuildEventKind.Message, Message = text, Fields = new object?[BuildEvent.FieldNames(BuildEventKind.Message).Count],
    };

    private static BuildEvent Environment(params (string Name, string Value)[] entries) => new()
    {
        Kind = BuildEventKind.BuildStarted,
        Fields = [new BuildEventMap(entries.Select(entry => new KeyValuePair<string, string?>(entry.Name, entry.Value)))],
    };

    private static BuildEvent Parameter(string name, string value)
    {
        var fields = new object?[BuildEvent.FieldNames(BuildEventKind.TaskParameter).Count];
        var names = BuildEvent.FieldNames(BuildEventKind.TaskParameter).ToList();
        fields[names.IndexOf("ParameterName")] = name;
        fields[names.IndexOf("Items")] = new object?[] { new object?[] { null, value, null } };
        return new BuildEvent { Kind = BuildEventKind.TaskParameter, Fields = fields };
    }
}
