import java.util.List;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.*;
import org.apache.hc.core5.util.*;

/** HttpClient 5 of Apache HttpComponents. */
record ApacheClient(boolean isDocumented) implements Client {
  public String options() {
    return "setResponseTimeout(2s)" + (isDocumented ? ", DefaultHttpRequestRetryStrategy(4, 200ms)" : "");
  }

  public List<String> lacks() {
    return List.of("keys");
  }

  public String send(String method, String url, String[] headers, String body, int timeoutSeconds) throws Exception {
    var config = RequestConfig.custom().setResponseTimeout(Timeout.ofSeconds(timeoutSeconds)).build();
    var builder = HttpClients.custom().setDefaultRequestConfig(config);
    if (isDocumented)
      builder.setRetryStrategy(new DefaultHttpRequestRetryStrategy(4, TimeValue.ofMilliseconds(200)));
    var request = new HttpUriRequestBase(method, java.net.URI.create(url));
    for (int n = 0; n < headers.length; n += 2) request.setHeader(headers[n], headers[n + 1]);
    if (body != null) request.setEntity(new StringEntity(body, java.nio.charset.StandardCharsets.UTF_8));
    try (var client = builder.build()) {
      return client.execute(request, response ->
          Client.bodyOf(response.getCode(), EntityUtils.toString(response.getEntity())));
    }
  }
}
