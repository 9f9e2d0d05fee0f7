import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.openapitools.api.PetApi;
import org.openapitools.api.StoreApi;
import org.openapitools.api.UserApi;
import org.openapitools.model.*;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Calls the nineteen classic operations with the Spring interfaces that openapi-generator writes; prints the names of those that succeeded. */
public class AllOperations {
  private static final List<String> done = new ArrayList<>();

  private static <T> T note(String operation, ResponseEntity<T> answered) {
    if (answered.getBody() == null) throw new IllegalStateException(operation + " returned nothing");
    done.add(operation);
    return answered.getBody();
  }

  public static void main(String[] given) throws Exception {
    RestClient client = RestClient.builder().baseUrl(given[0]).defaultHeader("api_key", given[1])
        .requestFactory(new JdkClientHttpRequestFactory()).build();
    // Spring sends an enumeration in the query by its name in Java unless told otherwise.
    DefaultFormattingConversionService conversions = new DefaultFormattingConversionService();
    conversions.addConverter(PetStatus.class, String.class, PetStatus::getValue);
    HttpServiceProxyFactory factory =
        HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client)).conversionService(conversions).build();
    PetApi pets = factory.createClient(PetApi.class);
    StoreApi store = factory.createClient(StoreApi.class);
    UserApi users = factory.createClient(UserApi.class);
    long id = 4715;

    note("addPet", pets.addPet(new PetDraft("Rex", List.of()).id(id), null));
    note("updatePet", pets.updatePet(new PetReplacement(id, "Max", List.of()), null));
    note("findPetsByStatus", pets.findPetsByStatus(List.of(PetStatus.AVAILABLE, PetStatus.SOLD), 1000, null));
    note("findPetsByTags", pets.findPetsByTags(List.of("friendly", "small"), 10, null));
    Pet read = note("getPetById", pets.getPetById(id, null));
    if (!read.getName().equals("Max")) throw new IllegalStateException(read.getName());
    note("updatePetWithForm", pets.updatePetWithForm(id, null, null, null, "Moritz", null));
    note("uploadFile", pets.uploadFile(id, new SmallestImage(), null, null));
    note("getInventory", store.getInventory());
    note("placeOrder", store.placeOrder(new OrderDraft(id).id(id), null));
    note("getOrderById", store.getOrderById(id));
    note("deleteOrder", store.deleteOrder(id));
    note("deletePet", pets.deletePet(id, null));

    note("createUser", users.createUser(new UserDraft("spring", "correct horse")));
    note("createUsersWithListInput", users.createUsersWithListInput(List.of(new UserDraft("spring2", "correct horse"))));
    note("loginUser", users.loginUser("spring", "correct horse"));
    note("getUserByName", users.getUserByName("spring"));
    note("updateUser", users.updateUser("spring", new UserReplacement().firstName("Ada")));
    note("deleteUser", users.deleteUser("spring", new UserDeletion()));
    note("logoutUser", users.logoutUser());
    System.out.println(new ObjectMapper().writeValueAsString(done));
  }

  /** One transparent pixel. */
  private static class SmallestImage implements MultipartFile {
    private final byte[] bytes = Base64.getDecoder().decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

    public String getName() { return "file"; }
    public String getOriginalFilename() { return "photo.gif"; }
    public String getContentType() { return "image/gif"; }
    public boolean isEmpty() { return false; }
    public long getSize() { return bytes.length; }
    public byte[] getBytes() { return bytes; }
    public InputStream getInputStream() { return new ByteArrayInputStream(bytes); }
    public void transferTo(File file) throws IOException { Files.write(file.toPath(), bytes); }
  }
}
