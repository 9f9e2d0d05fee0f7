import java.time.Duration;
import java.util.List;
import okhttp3.*;

/** OkHttp, which repeats only what met a connection that had been closed before. */
record OkClient(boolean isDocumented) implements Client {
  public String options() {
    return "callTimeout(2s)";
  }

  public List<String> lacks() {
    return List.of("retries", "reconnects", "keys");
  }

  public String send(String method, String url, String[] headers, String body, int timeoutSeconds) throws Exception {
    var client = new OkHttpClient.Builder().callTimeout(Duration.ofSeconds(timeoutSeconds)).build();
    var content = body == null ? null : RequestBody.create(body, MediaType.get("application/json"));
    var request = new Request.Builder().url(url).headers(Headers.of(headers)).method(method, content).build();
    try (var response = client.newCall(request).execute()) {
      return Client.bodyOf(response.code(), response.body().string());
    }
  }
}
