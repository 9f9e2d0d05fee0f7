import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** java.net.http.HttpClient of the JDK, as most programs use it, and Jackson. */
class Adapter {
  static final ObjectMapper json = new ObjectMapper();
  static final HttpClient client = HttpClient.newHttpClient();

  static HttpResponse<String> send(JsonNode line, String method, String path, JsonNode body, String... headers)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(line.get("url").asText() + path))
        .timeout(Duration.ofSeconds(line.get("timeoutSeconds").asLong()))
        .headers("api_key", line.get("key").asText(), "content-type", "application/json");
    if (headers.length > 0) request.headers(headers);
    var publisher = body == null
        ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofString(json.writeValueAsString(body));
    var response = client.send(request.method(method, publisher).build(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException(response.statusCode() + " " + response.body());
    return response;
  }

  static JsonNode act(JsonNode line, JsonNode input) throws Exception {
    switch (line.get("do").asText()) {
      case "readPet":
        return json.readTree(send(line, "GET", "/pet/" + input.get("id"), null).body());
      case "addPet":
        var key = java.util.UUID.randomUUID().toString();
        return json.readTree(send(line, "POST", "/pet", input.get("pet"), "idempotency-key", key).body());
      case "renamePet":
        var read = send(line, "GET", "/pet/" + input.get("id"), null);
        var pet = ((ObjectNode) json.readTree(read.body())).set("name", input.get("name"));
        var etag = read.headers().firstValue("etag").orElseThrow();
        return json.readTree(send(line, "PUT", "/pet", pet, "if-match", etag).body());
      default:
        throw new UnsupportedOperationException();
    }
  }

  public static void main(String[] args) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String text = input.readLine(); text != null; text = input.readLine()) {
      var said = json.createObjectNode();
      try {
        var line = json.readTree(text);
        said.set("result", act(line, line.get("input")));
      } catch (UnsupportedOperationException unknown) {
        said.put("unclaimed", "the adapter does not do this");
      } catch (Exception error) {
        said.put("error", error.toString());
      }
      System.out.println(json.writeValueAsString(said));
    }
  }
}
