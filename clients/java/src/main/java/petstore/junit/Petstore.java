package petstore.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * A sandbox: a store with its own pets, keys, limits, clock, faults and recorded requests. JSON is text here, for the library that the tests
 * already use.
 *
 * @param url the address of the store
 */
public record Petstore(String name, String url) {
  /** Longer than an advance of the clock takes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  public String apiUrl() {
    return url + "/api/v3";
  }

  public String apiKey() {
    return "special-key";
  }

  /** Restores the state of the first start, or the data of another seed: classic, empty, shelter. */
  public void reset(String seed) {
    call("POST", "/sandbox/reset?seed=" + seed, null);
  }

  /** Returns the time of the sandbox, and what else its clock has. */
  public String clock() {
    return call("GET", "/sandbox/clock", null);
  }

  /** Moves the clock forward; what becomes due on the way is done. */
  public String advance(Duration by) {
    return call("POST", "/sandbox/clock", "{\"advance\": \"PT" + by.toSeconds() + "S\"}");
  }

  /** Replaces the fault rules by these, such as {"match": {"operation": "addPet", "times": 1}, "fault": "fault=lose"}. */
  public void setFaults(String... rules) {
    call("PUT", "/sandbox/faults", "{\"rules\": [" + String.join(", ", rules) + "]}");
  }

  /** Returns the recorded requests, latest first, of this query, such as operation=addPet. */
  public String requests(String query) {
    return call("GET", "/sandbox/requests?limit=1000&" + query, null);
  }

  /** Fails the test unless the requests are as expected, such as {"match": {"operation": "addPet"}, "exactly": 1}. */
  public void verify(String expected) {
    call("POST", "/sandbox/requests/verify", expected);
  }

  /** Calls any operation of the sandbox and returns the response; a refusal is an AssertionError with its problem. */
  public String call(String method, String path, String body) {
    var request = HttpRequest.newBuilder(URI.create(apiUrl() + path))
        .timeout(TIMEOUT)
        .header("api_key", apiKey())
        .header("content-type", "application/json")
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
    try {
      var response = HTTP.send(request, BodyHandlers.ofString());
      if (response.statusCode() < 300) return response.body();
      throw new AssertionError(method + " " + path + ": " + response.body());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(error);
    }
  }
}
