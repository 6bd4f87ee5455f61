"""Checks that a webhook comes from the service."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .errors import WebhookError


def verify_webhook(
    *, secret: str, body: bytes | str, headers: Mapping[str, str], tolerance: int = 300, now: float | None = None
) -> dict[str, Any]:
    """Checks the signature and age of a request, with the body as it came, and returns its event.

    :raises WebhookError: it does not come from the service, or is older than ``tolerance`` seconds
    """
    found = {name.lower(): value for name, value in headers.items()}
    timestamp, signature = found.get("x-service-timestamp"), found.get("x-service-signature")
    if timestamp is None or signature is None:
        raise WebhookError("The request must have X-Service-Timestamp and X-Service-Signature")
    if not timestamp.isdigit() or abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookError(f"The request was not sent within {tolerance} s")
    content = body.encode() if isinstance(body, str) else body
    expected = hmac.new(secret.encode(), timestamp.encode() + b"." + content, hashlib.sha256).hexdigest()
    # While a secret is replaced, a request has a signature by each.
    claims = [claim.strip().removeprefix("sha256=") for claim in signature.split(",")]
    if not any(hmac.compare_digest(expected, claim) for claim in claims):
        raise WebhookError("The signature is not that of this body and secret")
    event: dict[str, Any] = json.loads(content)
    return event
