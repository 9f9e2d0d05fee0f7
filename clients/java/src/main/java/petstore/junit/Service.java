package petstore.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The service of this process. It ends when its standard input is closed, which the system does when this process ends. */
final class Service {
  private Service() {}

  private static String url;
  private static Process service;

  /** The address: that of the variable PETSTORE_URL, or of a service that the first call starts. */
  static synchronized String url() {
    if (url == null) {
      var running = System.getenv("PETSTORE_URL");
      url = running == null ? start() : running.replaceAll("/$", "");
    }
    return url;
  }

  private static String start() {
    var builder = new ProcessBuilder(findCommand(), "serve", "--ephemeral", "--port", "0", "--print-url");
    builder.environment().putIfAbsent("PETSTORE_LOG_LEVEL", "error");
    try {
      service = builder.redirectError(Redirect.INHERIT).start();
      var line = service.inputReader().readLine();
      if (line == null) throw new IllegalStateException(builder.command() + " did not start; its messages are above");
      return line;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** The command petstore: of npm in this directory or one above, otherwise the one in the PATH. */
  private static String findCommand() {
    return Stream.iterate(Path.of("").toAbsolutePath(), directory -> directory != null, Path::getParent)
        .map(directory -> directory.resolve("node_modules/.bin/petstore"))
        .filter(Files::exists)
        .map(Path::toString)
        .findFirst()
        .orElse("petstore");
  }
}
