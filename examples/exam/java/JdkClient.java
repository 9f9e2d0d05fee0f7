import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.List;

/** java.net.http.HttpClient of the JDK. By itself it repeats a GET whose connection was closed. */
record JdkClient(boolean isDocumented) implements Client {
  static final HttpClient client = HttpClient.newHttpClient();

  public String options() {
    return "timeout(2s)";
  }

  public List<String> lacks() {
    return List.of("retries", "keys");
  }

  public String send(String method, String url, String[] headers, String body, int timeoutSeconds) throws Exception {
    var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(timeoutSeconds)).headers(headers);
    var response = client.send(request.method(method, publisher).build(), HttpResponse.BodyHandlers.ofString());
    return Client.bodyOf(response.statusCode(), response.body());
  }
}
