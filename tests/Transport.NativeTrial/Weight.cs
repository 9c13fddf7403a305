using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using MessagePack;
using MessagePack.Formatters;
using MessagePack.Resolvers;
using Transport;

namespace Transport.NativeTrial;

/// <summary>Worker to main node: a type of MessagePack-CSharp, by a formatter in the form in which its mpc generates them.</summary>
[MessagePackObject]
public sealed class Weight
{
    /// <summary>As a packet: with a resolver of its own, since the standard one emits code.</summary>
    public static readonly PacketType<Weight> Type = MessagePackPacket.Of<Weight>(2100, new MessagePackSerializerOptions(
        CompositeResolver.Create([new WeightFormatter()], [BuiltinResolver.Instance])));

    /// <summary>What was weighed.</summary>
    [Key(0)]
    public string Name { get; set; } = string.Empty;

    /// <summary>How much, in grams.</summary>
    [Key(1)]
    public int Grams { get; set; }

    /// <summary>Whether the standard resolver, which cannot run in a program that is compiled ahead, is refused there in a sentence.</summary>
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "What happens to who does it all the same.")]
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "What happens to who does it all the same.")]
    public static bool RefusesTheStandard()
    {
        try
        {
            _ = MessagePackPacket.Of<Weight>(2101);
            return RuntimeFeature.IsDynamicCodeSupported;
        }
        catch (NotSupportedException e)
        {
            return !RuntimeFeature.IsDynamicCodeSupported && e.Message.Contains("Weight (2101): this program is compiled ahead", StringComparison.Ordinal);
        }
    }

    private sealed class WeightFormatter : IMessagePackFormatter<Weight?>
    {
        public void Serialize(ref MessagePackWriter writer, Weight? value, MessagePackSerializerOptions options)
        {
            if (value is null)
            {
                writer.WriteNil();
                return;
            }

            writer.WriteArrayHeader(2);
            options.Resolver.GetFormatterWithVerify<string>().Serialize(ref writer, value.Name, options);
            writer.Write(value.Grams);
        }

        public Weight? Deserialize(ref MessagePackReader reader, MessagePackSerializerOptions options)
        {
            if (reader.TryReadNil())
            {
                return null;
            }

            options.Security.DepthStep(ref reader);
            int count = reader.ReadArrayHeader();
            var weight = new Weight();
            for (int i = 0; i < count; i++)
            {
                switch (i)
                {
                    case 0:
                        weight.Name = options.Resolver.GetFormatterWithVerify<string>().Deserialize(ref reader, options);
                        break;
                    case 1:
                        weight.Grams = reader.ReadInt32();
                        break;
                    default:
                        reader.Skip();
                        break;
                }
            }

            reader.Depth--;
            return weight;
        }
    }
}
