import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.PartnersApi;
import org.openapitools.client.model.LoginBody;
import org.openapitools.client.model.PartnerCreate;

/** Uses the client that openapi-generator has generated for Java. */
public class Use {
  public static void main(String[] words) throws ApiException {
    ApiClient client = new ApiClient().setBasePath(words[0]);
    LoginBody account = new LoginBody().email(words[1]).password(words[2]);
    client.setBearerToken(new AuthenticationApi(client).login().loginBody(account).execute().getToken());
    PartnersApi partners = new PartnersApi(client);
    UUID group = partners.listPartnerGroups().limit(1).sort(List.of("name", "-code")).execute().getData().get(0).getId();
    PartnerCreate body = new PartnerCreate().name("Made by Java").groupId(group);
    UUID id = partners.createPartner().partnerCreate(body).execute().getData().getId();
    if (!partners.getPartner(id).execute().getData().getName().equals("Made by Java")) throw new AssertionError();
    try {
      partners.getPartner(group).execute();
      throw new AssertionError("What is not there must be not_found");
    } catch (ApiException missing) {
      if (!missing.getResponseBody().contains("\"not_found\"")) throw missing;
    }
  }
}
