import java.io.IOException;
import java.util.List;

/** A client with its options, and what it lacks. */
interface Client {
  String options();

  List<String> lacks();

  /** Sends a request with these headers, and returns the body of a 200. */
  String send(String method, String url, String[] headers, String body, int timeoutSeconds) throws Exception;

  static String bodyOf(int status, String body) throws IOException {
    if (status != 200) throw new IOException(status + " " + body);
    return body;
  }
}
