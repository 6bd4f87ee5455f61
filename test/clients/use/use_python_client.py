"""Uses the client that openapi-python-client has generated."""
import sys

from business_client import AuthenticatedClient, Client
from business_client.api.authentication import login
from business_client.api.partners import create_partner, get_partner, list_partner_groups, list_partners, update_partner
from business_client.api.webhooks import list_webhooks
from business_client.models import LoginBody, PartnerCreate, PartnerPatch, Problem
from business_client.models.list_partner_groups_sort_item import ListPartnerGroupsSortItem as Sort

address, email, password = sys.argv[1:]
session = login.sync(client=Client(address), body=LoginBody(email=email, password=password))
client = AuthenticatedClient(address, token=session.token)
groups = list_partner_groups.sync(client=client, sort=[Sort.NAME, Sort.VALUE_1], limit=1)
group = groups.data[0].id
made = create_partner.sync(client=client, body=PartnerCreate(name="Made by openapi-python-client", group_id=group)).data
read = get_partner.sync_detailed(made.id, client=client)
whole = read.parsed.data.to_dict()
whole["name"] = "Changed by openapi-python-client"
patch = PartnerPatch.from_dict(whole)
changed = update_partner.sync(made.id, client=client, body=patch, if_match=read.headers["ETag"])
assert changed.data.name == "Changed by openapi-python-client"
assert [one.id for one in list_partners.sync(client=client, name=changed.data.name).data] == [made.id]
assert list_webhooks.sync(client=client).data == []
missing = get_partner.sync(group, client=client)
assert isinstance(missing, Problem) and missing.code == "not_found", missing
