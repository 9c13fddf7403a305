using System;
using System.Globalization;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary><c>export --otlp</c>: sends spans by OTLP over HTTP, within a time, and counts what did not arrive.</summary>
/// <param name="endpoint">Where to.</param>
/// <param name="wait">How long all of it may take.</param>
internal sealed class OtlpExport(Uri endpoint, TimeSpan wait)
{
    private const string Path = "/v1/traces";
    private const int MostOfRequest = 512;
    private static readonly TimeSpan Again = TimeSpan.FromMilliseconds(200);

    /// <summary>The most that is waited: a receiver may ask for any time, and a timer takes no more than 49 days.</summary>
    private static readonly TimeSpan MostWait = TimeSpan.FromMinutes(1);

    /// <summary>Gets why not all spans were delivered; null: they were.</summary>
    public string? Fault { get; private set; }

    /// <summary>Reads an endpoint as OTLP names it: the signal's path is added, unless it is there.</summary>
    /// <exception cref="ToolException">It is no address of HTTP.</exception>
    public static Uri Endpoint(string text)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out Uri? uri) || (uri.Scheme != Uri.UriSchemeHttp && uri.Scheme != Uri.UriSchemeHttps))
        {
            throw new ToolException(
                $"export: --otlp {Shown(text)}: expected an address, as http://localhost:4318.", ToolExitCodes.BadUsage);
        }

        return uri.AbsolutePath.EndsWith(Path, StringComparison.Ordinal) ? uri
            : new UriBuilder(uri) { Path = uri.AbsolutePath.TrimEnd('/') + Path }.Uri;
    }

    /// <summary>Returns an address as it may be printed: without user and password.</summary>
    public static string Shown(Uri uri) => uri.GetComponents(UriComponents.AbsoluteUri & ~UriComponents.UserInfo, UriFormat.UriEscaped);

    private static string Shown(string text) => text.LastIndexOf('@') is >= 0 and var at ? "***" + text[at..] : text;

    /// <summary>Sends the spans.</summary>
    /// <returns>How many were delivered.</returns>
    public async Task<long> SendAsync(OtlpSpans spans)
    {
        using var time = new CancellationTokenSource(wait);
        using var client = new HttpClient { Timeout = Timeout.InfiniteTimeSpan };
        long delivered = 0;
        for (int first = 0; first < spans.Count; first += MostOfRequest)
        {
            int count = Math.Min(MostOfRequest, spans.Count - first);
            try
            {
                delivered += await SendAsync(client, spans.Body(first, count), count, time.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (time.IsCancellationRequested)
            {
                Fault ??= string.Create(CultureInfo.InvariantCulture, $"no answer within {wait.TotalSeconds:0.#} s");
                break;
            }
            catch (HttpRequestException e)
            {
                Fault ??= e.Message;
                break;
            }
        }

        return delivered;
    }

    /// <returns>How many of the request's spans were taken.</returns>
    private async Task<long> SendAsync(HttpClient client, byte[] body, int count, CancellationToken cancellationToken)
    {
        while (true)
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, endpoint) { Content = new ByteArrayContent(body) };
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
            using HttpResponseMessage response = await client.SendAsync(request, cancellationToken).ConfigureAwait(false);
            if (response.IsSuccessStatusCode)
            {
                long rejected = Rejected(await response.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false));
                return count - Math.Clamp(rejected, 0, count);
            }

            string status = string.Create(CultureInfo.InvariantCulture, $"{(int)response.StatusCode} {response.ReasonPhrase}");
            Fault ??= status;
            if (response.StatusCode is not (HttpStatusCode.TooManyRequests or HttpStatusCode.BadGateway
                or HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout))
            {
                return 0;
            }

            // These ask for another try (OTLP, "Retryable Response Codes"); the time that is left ends them.
            TimeSpan wanted = response.Headers.RetryAfter?.Delta ?? Again;
            await Task.Delay(wanted < MostWait ? wanted : MostWait, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>What a receiver has not taken, though it has answered with success.</summary>
    private long Rejected(byte[] answer)
    {
        try
        {
            using var json = JsonDocument.Parse(answer.Length == 0 ? "{}"u8.ToArray() : answer);
            if (json.RootElement.ValueKind == JsonValueKind.Object
                && json.RootElement.TryGetProperty("partialSuccess", out JsonElement partial) && partial.ValueKind == JsonValueKind.Object
                && partial.TryGetProperty("rejectedSpans", out JsonElement rejected))
            {
                long number = rejected.ValueKind == JsonValueKind.Number ? rejected.GetInt64()
                    : long.Parse(rejected.GetString()!, NumberStyles.None, CultureInfo.InvariantCulture);
                Fault ??= number > 0 ? "the receiver has rejected some" : null;
                return number;
            }
        }
        catch (Exception e) when (e is JsonException or FormatException or OverflowException or InvalidOperationException)
        {
            // An answer of another form says nothing of rejected spans.
        }

        return 0;
    }
}
