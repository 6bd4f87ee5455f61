"""Uses the client for Python on a running service: checkout, payment, webhook, refund; lost answers, tokens, tasks, asyncio."""

import asyncio
import json
import sys
import threading
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import business_management_client as service

address, email, password, secret = sys.argv[1:]
account = {"email": email, "password": password}
received: list[tuple[dict[str, str], bytes]] = []


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        received.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def refused(kind, act):
    try:
        act()
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} was expected")


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

with service.Client(address, **account) as client:
    client.webhooks.create(
        {
            "name": "Python",
            "url": f"http://127.0.0.1:{receiver.server_port}/",
            "events": ["payment.received"],
            "secret": secret,
        }
    )
    group = client.partner_groups.list(isCustomer=True).first()
    customer = client.partners.create({"name": "Ana by Python", "groupId": group.id})
    order = client.sales.create(
        {"partnerId": customer.id, "lines": [{"description": "A chair", "quantity": 1, "price": Decimal("100.10")}]}
    )
    note = client.sales.deliver(order.id)
    draft = client.sales.delivery_notes.invoice(note.id)
    invoice = client.sales.invoices.post(draft.id)
    assert invoice.total == Decimal("121.12"), invoice.total
    client.payments.in_.create(
        {
            "partner_id": customer.id,
            "amount": invoice.total,
            "payment_date": invoice.date,
            "payment_method": "card",
            "linked_documents": [{"document_type": "sales_invoice", "document_id": invoice.id}],
        }
    )
    assert client.sales.invoices.get(invoice.id).paymentStatus == "paid"
    for _ in range(200):
        if received:
            break
        time.sleep(0.1)
    headers, body = received[0]
    event = service.verify_webhook(secret=secret, headers=headers, body=body)
    assert (event["event"], event["data"]["amount"]) == ("payment.received", 121.12)
    for bad in ({"body": body + b" "}, {"secret": "another secret of sixteen"}, {"now": time.time() + 3600}, {"headers": {}}):
        refused(service.WebhookError, lambda: service.verify_webhook(**{"secret": secret, "headers": headers, "body": body, **bad}))
    refund = client.sales.invoices.rectify(invoice.id, {"reason": "Returned"})
    assert client.sales.invoices.post(refund.id).total == -invoice.total

    for name in ("Py A", "Py B", "Py C"):
        client.partners.create(service.models.PartnerCreate(name=name, groupId=group.id))
    found = client.partners.list(name={"contains": "py "}, limit=2, sort=["name"])
    assert [one.name for one in found] == ["Py A", "Py B", "Py C"]
    assert client.partners.list(name={"in": ["Py A", "Py C"]}).page(1).total == 2
    assert client.partners.list(name="Nobody").first() is None

    missing = refused(service.NotFoundError, lambda: client.partners.get(group.id))
    assert missing.code == "not_found"
    wrong = refused(service.ValidationError, lambda: client.partners.create({"name": "", "groupId": group.id}))
    assert (wrong.status, wrong.code, wrong.pointer) == (422, "validation_failed", "/name")
    client.partners.update(customer.id, {"phone": "1"}, version=customer.version)
    refused(service.StaleVersionError, lambda: client.partners.update(customer.id, {"phone": "2"}, version=customer.version))
    refused(service.NoAnswerError, lambda: service.Client("http://127.0.0.1:9", api_key="ak_x", retries=0).auth.me())

    # The answer of the first attempt is lost.
    take, lost = client._http.send, []

    def forgetful(request: httpx.Request, **options: object) -> httpx.Response:
        response = take(request, **options)
        if request.method == "POST" and request.url.path == "/api/partners" and not lost:
            lost.append(response)
            raise httpx.ReadError("the answer was lost")
        return response

    client._http.send = forgetful
    once = client.partners.create({"name": "Made once by Python", "groupId": group.id})
    assert [one.id for one in client.partners.list(name="Made once by Python")] == [once.id]

    progress: list[int] = []
    started = client.reports.trial_balance.generate({"format": "csv"})
    task = client.wait_for_task(started, on_progress=lambda one: progress.append(one.progress))
    assert task.status == "completed" and progress[-1] == 100
    assert b"".join(client.tasks.result(task.id).stream())
    pdf = client.sales.invoices.pdf(invoice.id)
    assert pdf.name.endswith(".pdf") and pdf.read().startswith(b"%PDF")

tokens = httpx.post(f"{address}/api/auth/login", json=account).json()


async def together() -> None:
    made: list[str] = []
    old = {"token": tokens["token"] + "x", "refresh_token": tokens["refresh_token"]}
    async with service.AsyncClient(address, **old, on_tokens=lambda token, _: made.append(token)) as client:
        answers = await asyncio.gather(*(client.auth.me() for _ in range(4)))
        assert len({one.user.email for one in answers}) == 1 and len(made) == 1
        names = [one.name async for one in client.partners.list(name={"contains": "py "})]
        assert len(names) == 3
        task = await client.wait_for_task(await client.reports.trial_balance.generate({"format": "csv"}))
        assert task.status == "completed"


asyncio.run(together())
print(json.dumps("done"))
