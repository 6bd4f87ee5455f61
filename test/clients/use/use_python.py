"""Uses the client that openapi-generator has generated for Python."""
import sys

import business_service as service

address, email, password = sys.argv[1:]
configuration = service.Configuration(host=address)
with service.ApiClient(configuration) as client:
    session = service.AuthenticationApi(client).login(service.LoginBody(email=email, password=password))
    configuration.access_token = session.token
    partners = service.PartnersApi(client)
    groups = partners.list_partner_groups(sort=["name", "-code"], limit=1)
    group = groups.data[0].id
    made = partners.create_partner(service.PartnerCreate(name="Made by Python", groupId=group)).data
    read = partners.get_partner_with_http_info(made.id)
    whole = read.data.data.to_dict()
    whole["name"] = "Changed by Python"
    changed = partners.update_partner(
        made.id, if_match=read.headers["ETag"], partner_patch=service.PartnerPatch.from_dict(whole)
    )
    assert changed.data.name == "Changed by Python"
    assert service.WebhooksApi(client).list_webhooks().data == []
    try:
        partners.get_partner(group)
    except service.exceptions.NotFoundException as missing:
        assert '"not_found"' in missing.body
    else:
        raise AssertionError("What is not there must be not_found")
