import com.fasterxml.jackson.databind.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Clients of Java: `java Adapter JdkClient`, `java Adapter ApacheClient documented`. An error of the adapter itself ends it. */
class Adapter {
  static final ObjectMapper json = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    var client = (Client) Class.forName(args[0]).getDeclaredConstructor(boolean.class).newInstance(args.length > 1);
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String text = input.readLine(); text != null; text = input.readLine())
      System.out.println(json.writeValueAsString(act(client, json.readTree(text))));
  }

  static JsonNode act(Client client, JsonNode line) throws Exception {
    var said = json.createObjectNode();
    var input = line.get("input");
    switch (line.get("do").asText()) {
      case "describe":
        var described = said.putObject("result").put("options", client.options());
        client.lacks().forEach(described.putArray("lacks")::add);
        return said;
      case "readPet":
        return send(client, line, "GET", "/pet/" + input.get("id"), null);
      case "addPet":
        return send(client, line, "POST", "/pet", json.writeValueAsString(input.get("pet")));
      default:
        return said.put("unclaimed", "the adapter does not do this");
    }
  }

  static JsonNode send(Client client, JsonNode line, String method, String path, String body) {
    var key = UUID.randomUUID().toString();
    String[] headers = {"api_key", line.get("key").asText(), "content-type", "application/json", "idempotency-key", key};
    try {
      var read = client.send(method, line.get("url").asText() + path, headers, body, line.get("timeoutSeconds").asInt());
      return json.createObjectNode().set("result", json.readTree(read));
    } catch (Exception error) {
      return json.createObjectNode().put("error", error.toString());
    }
  }
}
