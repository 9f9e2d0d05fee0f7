package petstore.junit;

import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test that takes a {@link Petstore} a sandbox of its own, which is deleted after the test. */
public final class PetstoreExtension implements ParameterResolver, AfterEachCallback {
  private static final Namespace OWN = Namespace.create(PetstoreExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Petstore.class;
  }

  @Override
  public Petstore resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(OWN).getOrComputeIfAbsent(context.getUniqueId(), id -> create(), Petstore.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var sandbox = context.getStore(OWN).remove(context.getUniqueId(), Petstore.class);
    if (sandbox != null) sandbox.call("DELETE", "/sandboxes/" + sandbox.name(), null);
  }

  private static Petstore create() {
    var name = "test-" + UUID.randomUUID();
    var sandbox = new Petstore(name, Service.url() + "/s/" + name);
    sandbox.reset("initial"); // creates it
    return sandbox;
  }
}
