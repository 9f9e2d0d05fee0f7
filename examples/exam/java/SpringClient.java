import java.time.Duration;
import java.util.List;
import org.springframework.core.retry.*;
import org.springframework.http.*;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.*;

/** RestClient of Spring over java.net.http, with RetryTemplate of Spring's core if as documented. */
record SpringClient(boolean isDocumented) implements Client {
  public String options() {
    return "setReadTimeout(2s)"
        + (isDocumented ? ", RetryPolicy: maxRetries(4), delay(200ms), jitter(100ms), multiplier(2)" : "");
  }

  public List<String> lacks() {
    return isDocumented ? List.of("keys") : List.of("retries", "keys");
  }

  public String send(String method, String url, String[] headers, String body, int timeoutSeconds) throws Exception {
    var factory = new JdkClientHttpRequestFactory();
    factory.setReadTimeout(Duration.ofSeconds(timeoutSeconds));
    var request = RestClient.builder().requestFactory(factory).build().method(HttpMethod.valueOf(method)).uri(url);
    for (int n = 0; n < headers.length; n += 2) request.header(headers[n], headers[n + 1]);
    if (body != null) request.body(body);
    if (!isDocumented) return request.retrieve().body(String.class);
    var policy = RetryPolicy.builder()
        .includes(HttpServerErrorException.class, HttpClientErrorException.TooManyRequests.class, ResourceAccessException.class)
        .maxRetries(4).delay(Duration.ofMillis(200)).jitter(Duration.ofMillis(100)).multiplier(2).build();
    return new RetryTemplate(policy).execute(() -> request.retrieve().body(String.class));
  }
}
