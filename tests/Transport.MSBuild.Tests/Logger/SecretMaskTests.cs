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
    [TestCase("GITHUB_PAT")]
    [TestCase("NPM_AUTH")]
    [TestCase("DB_PASS")]
    [TestCase("VAULT_SECRET_ID")]
    [TestCase("RoleSecretId")]
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

    /// <summary>What an MSBuild task passes on, a command, a list of variables: several names and values in one text. They stood in clear under
    /// the name of the text.</summary>
    [TestCase("Properties", "Configuration=Release;DeployPassword={0};Deploy=true", "Configuration=Release;DeployPassword=***;Deploy=true")]
    [TestCase("Command", "deploy --api-token=\"{0}\" --verbose=1", "deploy --api-token=\"***\" --verbose=1")]
    [TestCase("EnvironmentVariables", "PATH=/bin;FEED_TOKEN={0}", "PATH=/bin;FEED_TOKEN=***")]
    [TestCase("Command", "FEED_PASS='{0}' deploy", "FEED_PASS='***' deploy")]
    public void A_value_with_a_secrets_name_inside_of_another_value_is_masked(string parameter, string format, string masked)
    {
        foreach (string value in new[] { Value, "ab12" })
        {
            SecretMask mask = Create();
            string text = string.Format(System.Globalization.CultureInfo.InvariantCulture, format, value);
            BuildEvent one = mask.Apply(Parameter(parameter, text));
            Assert.That(((object?[])one.List("Items").Single()!)[1], Is.EqualTo(masked));
            BuildEvent line = mask.Apply(Message(
                $"Task Parameter:{parameter}=" + string.Format(System.Globalization.CultureInfo.InvariantCulture, format, value)));
            Assert.That(line.Message, Is.EqualTo($"Task Parameter:{parameter}={masked}"));
        }
    }

    /// <summary>Properties that targets and tasks set come as messages, in the build's language.</summary>
    [TestCase("Set Property: FeedPassword={0}")]
    [TestCase("Eigenschaft festlegen: FeedPassword={0}")]
    [TestCase("Output Property: SIGNING_KEY={0}")]
    [TestCase("Task Parameter:ApiToken={0}")]
    [TestCase("calling with token={0}; and more")]
    public void A_value_that_appears_during_the_build_is_known_from_the_message_that_names_it(string format)
    {
        SecretMask mask = Create();

        BuildEvent named = mask.Apply(OfProject(string.Format(System.Globalization.CultureInfo.InvariantCulture, format, Value)));

        Assert.That(named.Message, Does.Not.Contain(Value).And.Contain("=***"));
        Assert.That(mask.Apply(OfProject("later " + Value)).Message, Is.EqualTo("later ***"));
    }

    [TestCase("Resolved: Key=some-name-17", "some-name-17", true)]
    [TestCase("with Key=some-name-17 of it", "some-name-17", false)]
    public void What_a_message_calls_a_key_is_a_secret_only_where_a_property_is_set(string text, string value, bool isSecret)
    {
        SecretMask mask = Create();
        mask.Apply(OfProject(text));
        Assert.That(mask.Apply(OfProject("x " + value)).Message, Is.EqualTo(isSecret ? "x ***" : "x " + value));
    }

    /// <summary>The event that names a short secret showed it.</summary>
    [Test]
    public void The_event_that_names_a_short_secret_does_not_show_it_and_others_do()
    {
        SecretMask mask = Create();

        BuildEvent set = mask.Apply(OfProject("Set Property: FeedPassword=ab1"));
        BuildEvent parameter = mask.Apply(Parameter("AccessToken", "ab1"));
        BuildEvent changed = mask.Apply(Reassignment("FeedPassword", "ab1", "cd2"));

        Assert.That(set.Message, Is.EqualTo("Set Property: FeedPassword=***"));
        Assert.That(((object?[])parameter.List("Items")[0]!)[1], Is.EqualTo("***"));
        Assert.That((changed.Text("PreviousValue"), changed.Text("NewValue"), changed.Message), Is.EqualTo(("***", "***", "from *** to ***, not ab12")));
        Assert.That(mask.Apply(Message("ab1 elsewhere")).Message, Is.EqualTo("ab1 elsewhere"));
    }

    /// <summary>After a credential of 1,200 lines the next secret went out in clear.</summary>
    [Test]
    public void A_credential_of_many_lines_takes_no_other_secrets_place_and_what_is_too_much_is_counted()
    {
        SecretMask mask = Create();
        string[] lines = [.. Enumerable.Range(0, 20_000).Select(i => $"line-number-{i:d6}")];

        mask.Apply(Environment(("A_SECRET", string.Join('\n', lines)), ("B_SECRET", Value)));

        Assert.That(mask.Apply(Message($"x {Value} {lines[0]} {lines[8191]}")).Message, Is.EqualTo("x *** *** ***"));
        Assert.That(mask.Overflow, Is.EqualTo(lines.Length - 8192));
        Assert.That(Create().Overflow, Is.Zero);
        for (int i = 0; i < 5; i++)
        {
            mask.Apply(Environment(("A_SECRET", new string((char)('a' + i), 1_500_000))));
        }

        Assert.That(mask.Overflow, Is.GreaterThan(lines.Length - 8192), "whole values that are too much");
        Assert.That(mask.Apply(Message("x " + Value)).Message, Is.EqualTo("x ***"));
    }

    /// <summary>500 secrets, each named by an event of its own, took 3.7 s under the logger's lock: the search was made anew for each.</summary>
    [Test]
    public void Many_secrets_that_are_named_one_by_one_are_all_masked()
    {
        SecretMask mask = Create();
        string[] secrets = [.. Enumerable.Range(0, 500).Select(i => $"secret-value-{i}-of-many")];
        foreach (string secret in secrets)
        {
            mask.Apply(Environment(("A_SECRET", secret)));
            Assert.That(mask.Apply(Message("x " + secret)).Message, Is.EqualTo("x ***"));
        }

        Assert.That(secrets.Select(secret => mask.Apply(Message("x " + secret)).Message), Is.All.EqualTo("x ***"));
    }

    [TestCase("FEED", "https://user:s3cret-value-17@feed/v3/index.json", "https://user:***@feed/v3/index.json")]
    [TestCase("FEED", "https://user:pw@feed/a https://b:c@d", "https://user:***@feed/a https://b:***@d")]
    [TestCase("FEED", "https://feed/path:with@sign", "https://feed/path:with@sign")]
    [TestCase("FEED", "https://user@feed", "https://user@feed")]
    [TestCase("CONFIG", "{\"auths\":{\"r\":{\"password\": \"s3cret-value-17\"}}}", "{\"auths\":{\"r\":{\"password\": \"***\"}}}")]
    [TestCase("CONFIG", "{\"n\": 1, \"colour\": \"s3cret-value-17\"}", "{\"n\": 1, \"colour\": \"s3cret-value-17\"}")]
    public void Passwords_in_addresses_and_JSON_are_secrets_whatever_the_variable_is_called(string name, string value, string expected)
    {
        SecretMask mask = Create();

        Assert.That(mask.Apply(Environment((name, value))).Map("BuildEnvironment")!.Entries[0].Value, Is.EqualTo(expected));
        bool isSecret = expected.Contains("***", StringComparison.Ordinal) && value.Contains(Value, StringComparison.Ordinal);
        Assert.That(mask.Apply(Message("x " + Value)).Message, Is.EqualTo(isSecret ? "x ***" : "x " + Value));
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

    private static BuildEvent OfProject(string text) => new()
    {
        Kind = BuildEventKind.Message, Message = text, Context = new BuildEventIds { ProjectContext = 3, Target = 4 },
        Fields = new object?[BuildEvent.FieldNames(BuildEventKind.Message).Count],
    };

    private static BuildEvent Reassignment(string name, string before, string after)
    {
        var names = BuildEvent.FieldNames(BuildEventKind.PropertyReassignment).ToList();
        var fields = new object?[names.Count];
        (fields[names.IndexOf("PropertyName")], fields[names.IndexOf("PreviousValue")], fields[names.IndexOf("NewValue")]) = (name, before, after);
        return new BuildEvent
        {
            Kind = BuildEventKind.PropertyReassignment, Message = $"from {before} to {after}, not ab12", Fields = fields,
        };
    }

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
