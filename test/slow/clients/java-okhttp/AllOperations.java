import com.google.gson.Gson;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PetApi;
import org.openapitools.client.api.StoreApi;
import org.openapitools.client.api.UserApi;
import org.openapitools.client.model.*;

/**
 * Calls the nineteen classic operations with openapi-generator's default library, which rejects members that the description does
 * not list. Prints the names of those that succeeded.
 */
public class AllOperations {
  private static final List<String> done = new ArrayList<>();

  private static <T> T note(String operation, T answered) {
    if (answered == null) throw new IllegalStateException(operation + " returned nothing");
    done.add(operation);
    return answered;
  }

  public static void main(String[] given) throws Exception {
    ApiClient client = new ApiClient().setBasePath(given[0]);
    client.setApiKey(given[1]);
    PetApi pets = new PetApi(client);
    StoreApi store = new StoreApi(client);
    UserApi users = new UserApi(client);
    long id = 4713;

    note("addPet", pets.addPet(new PetDraft().id(id).name("Rex").photoUrls(List.of())));
    note("updatePet", pets.updatePet(new PetReplacement().id(id).name("Max").photoUrls(List.of())));
    note("findPetsByStatus", pets.findPetsByStatus(List.of(PetStatus.AVAILABLE, PetStatus.SOLD), 1000, null));
    note("findPetsByTags", pets.findPetsByTags(List.of("friendly", "small"), 10, null));
    Pet read = note("getPetById", pets.getPetById(id));
    if (!read.getName().equals("Max")) throw new IllegalStateException(read.getName());
    note("updatePetWithForm", pets.updatePetWithForm(id, null, null, "Moritz", null));
    note("uploadFile", pets.uploadFile(id, smallestImage(), null, null));
    note("getInventory", store.getInventory());
    note("placeOrder", store.placeOrder(new OrderDraft().id(id).petId(id)));
    note("getOrderById", store.getOrderById(id));
    note("deleteOrder", store.deleteOrder(id));
    note("deletePet", pets.deletePet(id));

    UserDraft ada = new UserDraft().username("gson").password("correct horse");
    note("createUser", users.createUser(ada));
    note("createUsersWithListInput", users.createUsersWithListInput(List.of(ada.username("gson2"))));
    note("loginUser", users.loginUser("gson", "correct horse"));
    note("getUserByName", users.getUserByName("gson"));
    note("updateUser", users.updateUser("gson", new UserReplacement().firstName("Ada")));
    note("deleteUser", users.deleteUser("gson", new UserDeletion()));
    note("logoutUser", users.logoutUser());
    System.out.println(new Gson().toJson(done));
  }

  /** One transparent pixel. */
  private static File smallestImage() throws Exception {
    File file = File.createTempFile("photo", ".gif");
    String gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    Files.write(file.toPath(), Base64.getDecoder().decode(gif));
    return file;
  }
}
