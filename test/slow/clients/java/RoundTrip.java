import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.PetApi;
import org.openapitools.client.model.CategoryDraft;
import org.openapitools.client.model.Event;
import org.openapitools.client.model.Pet;
import org.openapitools.client.model.PetDraft;

/** Creates, reads and deletes a pet with the client openapi-generator writes, and lists events. */
class RoundTrip {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(request -> request.header("api_key", arguments[1]));
    PetApi pets = new PetApi(client);

    PetDraft draft = new PetDraft().name("Rex").photoUrls(List.of()).category(new CategoryDraft().name("Dogs"));
    Pet created = pets.addPet(draft, null);
    Pet read = pets.getPetById(created.getId(), null);
    String deleted = pets.deletePet(created.getId(), null).getMessage();
    List<String> kinds = new ArrayList<>();
    for (Event event : new EventsApi(client).listEvents(null, 1000, null)) {
      Map<?, ?> data = (Map<?, ?>) event.getData();
      if (data.get("id") instanceof Number id && id.longValue() == created.getId()) kinds.add(event.getEvent().getValue());
    }

    System.out.println(new ObjectMapper().writeValueAsString(Map.of(
        "name", created.getName(),
        "category", created.getCategory().getName(),
        "status", read.getStatus().getValue(),
        "deleted", deleted,
        "absent", codeOfReading(pets, created.getId()),
        "kinds", kinds)));
  }

  private static String codeOfReading(PetApi pets, Long id) throws Exception {
    try {
      return "still there: " + pets.getPetById(id, null).getName();
    } catch (ApiException refusal) {
      return new ObjectMapper().readTree(refusal.getResponseBody()).get("code").asText();
    }
  }
}
