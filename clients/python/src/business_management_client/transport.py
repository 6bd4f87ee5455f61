"""Sends requests: with credentials, repeated where that is safe, and with refusals as errors.

The rules are generators that say what to do next (send, sleep, hold the lock); the sync and the async client do it.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

import httpx

from .encoding import from_json, to_json, to_query
from .errors import AuthenticationError, NoAnswerError, to_error

#: Statuses after which the same request may succeed. A POST under way elsewhere is 409, and says when to ask again.
REPEATABLE = {429, 502, 503, 504}
#: Longest pause between attempts in seconds, unless the service says how long.
LONGEST_PAUSE = 8.0
#: Seconds before its end at which a token is renewed.
EARLY = 30


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    #: Sent as JSON.
    body: Any = None
    #: A file with its name, sent as a form.
    upload: tuple[str, Any] | None = None
    idempotency_key: str | None = None
    version: int | None = None
    #: Whether the answer is read as it comes.
    stream: bool = False


@dataclass(frozen=True)
class Send:
    method: str
    path: str
    params: list[tuple[str, str]]
    headers: dict[str, str]
    content: bytes | None
    files: Any
    stream: bool


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Hold:
    """Takes or releases the lock of the session: a refresh token works once."""

    taken: bool


Step = Union[Send, Sleep, Hold]
#: Gets what a step leads to, a response or the failure of the connection, and returns the answer.
Steps = Generator[Step, Any, httpx.Response]


class Transport:
    def __init__(
        self,
        *,
        api_key: str | None,
        email: str | None,
        password: str | None,
        token: str | None,
        refresh_token: str | None,
        headers: dict[str, str],
        retries: int,
        on_tokens: Any,
    ) -> None:
        if sum(given is not None for given in (api_key, email, refresh_token)) != 1:
            raise TypeError("give api_key, email with password, or token with refresh_token")
        self._api_key = api_key
        self._login = {"email": email, "password": password} if email is not None else None
        self._token = token
        self._refresh_token = refresh_token
        self._ends_at = float("inf")
        self._headers = headers
        self._retries = retries
        self._on_tokens = on_tokens

    def send(self, call: Call) -> Steps:
        """Sends a request, and repeats it after 429, 503 and lost connections."""
        key = call.idempotency_key or str(uuid.uuid4())
        lost = False
        attempt = 0
        while True:
            outcome = yield from self._attempt(call, key)
            if isinstance(outcome, httpx.Response):
                if outcome.is_success:
                    return outcome
                # The first attempt may have deleted it, and only its answer was lost.
                if outcome.status_code == 404 and call.method == "DELETE" and lost:
                    return httpx.Response(204)
            else:
                lost = True
            pause = self._pause(attempt, outcome, call)
            if pause is None:
                raise to_error(outcome) if isinstance(outcome, httpx.Response) else outcome
            yield Sleep(pause)
            attempt += 1

    def _attempt(self, call: Call, key: str) -> Generator[Step, Any, httpx.Response | NoAnswerError]:
        token = yield from self.token()
        outcome = yield self._request(call, key, token)
        if isinstance(outcome, httpx.Response) and outcome.status_code == 401 and self._api_key is None:
            outcome = yield self._request(call, key, (yield from self.renew(token)))
        return outcome

    def _request(self, call: Call, key: str, token: str) -> Send:
        headers = {**self._headers, "Authorization": f"Bearer {token}"}
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        if call.method == "POST":
            headers["Idempotency-Key"] = key
        if call.version is not None:
            headers["If-Match"] = f'"{call.version}"'
        content = None if call.body is None else to_json(call.body)
        files = None if call.upload is None else {"file": call.upload}
        return Send(call.method, call.path, to_query(call.query), headers, content, files, call.stream)

    def _pause(self, attempt: int, outcome: httpx.Response | NoAnswerError, call: Call) -> float | None:
        """Seconds to wait for the next attempt; None for none."""
        if attempt >= self._retries:
            return None
        growing = min(LONGEST_PAUSE, 0.25 * 2**attempt) * random.uniform(0.5, 1)
        # A repeated change that names a version would be refused as stale by its own first attempt.
        safe = call.method != "PATCH" or call.version is None
        if not isinstance(outcome, httpx.Response):
            return growing if safe else None
        after = outcome.headers.get("Retry-After", "")
        if after.isdigit():
            return max(growing, float(after)) if outcome.status_code in {*REPEATABLE, 409} else None
        return growing if outcome.status_code in REPEATABLE and safe else None

    def token(self) -> Generator[Step, Any, str]:
        """The token for a request."""
        if self._api_key is not None:
            return self._api_key
        if self._token is None or time.time() > self._ends_at - EARLY:
            return (yield from self.renew(self._token))
        return self._token

    def renew(self, refused: str | None) -> Generator[Step, Any, str]:
        """Gets a new token, unless another request has replaced the refused one."""
        yield Hold(True)
        try:
            if self._token is not None and self._token != refused:
                return self._token
            if self._refresh_token is not None:
                try:
                    return (yield from self._ask("/api/auth/refresh", {"refresh_token": self._refresh_token}))
                except AuthenticationError:
                    if self._login is None:
                        raise
            return (yield from self._ask("/api/auth/login", self._login))
        finally:
            yield Hold(False)

    def _ask(self, path: str, body: Any) -> Generator[Step, Any, str]:
        answer = yield Send("POST", path, [], {"Content-Type": "application/json"}, to_json(body), None, False)
        if isinstance(answer, NoAnswerError):
            raise answer
        if not answer.is_success:
            raise to_error(answer)
        tokens = from_json(answer.content)
        self._token, self._refresh_token = tokens["token"], tokens["refresh_token"]
        self._ends_at = time.time() + float(tokens["expires_in"])
        if self._on_tokens is not None:
            self._on_tokens(self._token, self._refresh_token)
        return str(self._token)
