"""The clients: all resources of the service, and what goes beyond single requests."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpx

from . import models
from .async_resources import AsyncResources
from .errors import AuthenticationError, NoAnswerError, PermissionDenied, TaskError
from .files import AsyncDownloadedFile, DownloadedFile
from .resource import to_data
from .resources import Resources
from .transport import Call, Hold, Send, Sleep, Step, Transport

#: Seconds between looks at a task: the first, and the longest.
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 3.0
ENDED = {"completed", "failed", "cancelled"}
#: Why the service ends a connection for notifications.
REFUSED_TOKEN, REFUSED_MEMBERSHIP = 4401, 4403


class _Base:
    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        email: str | None = None,
        password: str | None = None,
        token: str | None = None,
        refresh_token: str | None = None,
        tenant_id: str | None = None,
        language: str | None = None,
        retries: int = 4,
        timeout: float = 60.0,
        on_tokens: Callable[[str, str], None] | None = None,
    ) -> None:
        """Makes a client; it asks nothing of the service before the first call.

        :param tenant_id: the company; that of the token or key by default
        :param language: of messages, en or es
        :param retries: repetitions after 429, 503 and lost connections
        :param timeout: seconds that one attempt may take
        :param on_tokens: told of new tokens, which work once: whoever keeps them must keep the last ones
        """
        self._base_url = base_url.rstrip("/")
        self._tenant_id = tenant_id
        self._timeout = timeout
        headers = {"Accept": "application/json, */*"}
        if tenant_id is not None:
            headers["x-tenant-id"] = tenant_id
        if language is not None:
            headers["Accept-Language"] = language
        self._transport = Transport(
            api_key=api_key,
            email=email,
            password=password,
            token=token,
            refresh_token=refresh_token,
            headers=headers,
            retries=retries,
            on_tokens=on_tokens,
        )

    @staticmethod
    def _request(http: Any, step: Send) -> httpx.Request:
        request: httpx.Request = http.build_request(
            step.method, step.path, params=step.params, headers=step.headers, content=step.content, files=step.files
        )
        return request

    @staticmethod
    def _lost(step: Send, error: httpx.TransportError) -> NoAnswerError:
        failure = NoAnswerError(f"{step.method} {step.path} got no answer: {error!r}")
        failure.__cause__ = error
        return failure

    @staticmethod
    def _task_id(started: Any) -> str:
        found = started if isinstance(started, str) else getattr(started, "task_id", None) or getattr(started, "id", None)
        if not isinstance(found, str):
            raise TypeError("a task must have an id: the request has started none")
        return found


class _Progress:
    """Tells a function of each change of a task."""

    def __init__(self, told: Callable[[models.Task], None] | None) -> None:
        self._told = told
        self._shown: object = None

    def show(self, task: models.Task) -> bool:
        state = (task.status, task.progress, task.message)
        if self._told is not None and state != self._shown:
            self._told(task)
        self._shown = state
        if task.status == "completed":
            return True
        if task.status in ENDED:
            raise TaskError(task)
        return False


class Client(_Base, Resources):
    """A client for programs that wait for each answer. Threads may share it."""

    def __init__(self, base_url: str, **options: Any) -> None:
        _Base.__init__(self, base_url, **options)
        self._http = httpx.Client(base_url=self._base_url, timeout=self._timeout)
        self._lock = threading.Lock()
        Resources.__init__(self, self)

    def run(self, call: Call) -> httpx.Response:
        """Any request, for what the resources do not offer, repeated and refused like theirs."""
        steps = self._transport.send(call)
        outcome: Any = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                response: httpx.Response = done.value
                return response
            outcome = self._take(step)

    def _take(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Hold):
            return self._lock.acquire() if step.taken else self._lock.release()
        try:
            response = self._http.send(self._request(self._http, step), stream=step.stream)
            if step.stream and not response.is_success:
                response.read()
            return response
        except httpx.TransportError as error:
            return self._lost(step, error)

    def download(self, path: str, **query: Any) -> DownloadedFile:
        """Reads a file: reports and lists with ``format``, or what has a path of its own."""
        return DownloadedFile(self.run(Call("GET", path, query, stream=True)))

    def wait_for_task(
        self, started: Any, *, on_progress: Callable[[models.Task], None] | None = None, timeout: float = 600
    ) -> models.Task:
        """Waits until a background task has ended. :raises TaskError: if it has failed or was cancelled"""
        progress, end, pause = _Progress(on_progress), time.monotonic() + timeout, FIRST_PAUSE
        while True:
            answer = self.run(Call("GET", f"/api/tasks/{self._task_id(started)}"))
            task: models.Task = to_data(answer.content, models.Task)
            if progress.show(task):
                return task
            if time.monotonic() + pause > end:
                raise TimeoutError(f"The task {task.id} has not ended within {timeout} s; it goes on")
            time.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 1.5)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_Base, AsyncResources):
    """A client for asyncio."""

    def __init__(self, base_url: str, **options: Any) -> None:
        _Base.__init__(self, base_url, **options)
        self._http = httpx.AsyncClient(base_url=self._base_url, timeout=self._timeout)
        self._lock = asyncio.Lock()
        AsyncResources.__init__(self, self)

    async def run(self, call: Call) -> httpx.Response:
        """Any request, for what the resources do not offer, repeated and refused like theirs."""
        return await self._drive(self._transport.send(call))

    async def _drive(self, steps: Any) -> Any:
        outcome: Any = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as done:
                return done.value
            outcome = await self._take(step)

    async def _take(self, step: Step) -> Any:
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Hold):
            return await self._lock.acquire() if step.taken else self._lock.release()
        try:
            response = await self._http.send(self._request(self._http, step), stream=step.stream)
            if step.stream and not response.is_success:
                await response.aread()
            return response
        except httpx.TransportError as error:
            return self._lost(step, error)

    async def download(self, path: str, **query: Any) -> AsyncDownloadedFile:
        """Reads a file: reports and lists with ``format``, or what has a path of its own."""
        return AsyncDownloadedFile(await self.run(Call("GET", path, query, stream=True)))

    async def wait_for_task(
        self, started: Any, *, on_progress: Callable[[models.Task], None] | None = None, timeout: float = 600
    ) -> models.Task:
        """Waits until a background task has ended. :raises TaskError: if it has failed or was cancelled"""
        progress, end, pause = _Progress(on_progress), time.monotonic() + timeout, FIRST_PAUSE
        while True:
            answer = await self.run(Call("GET", f"/api/tasks/{self._task_id(started)}"))
            task: models.Task = to_data(answer.content, models.Task)
            if progress.show(task):
                return task
            if time.monotonic() + pause > end:
                raise TimeoutError(f"The task {task.id} has not ended within {timeout} s; it goes on")
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 1.5)

    async def notification_feed(self, last_id: str | None = None) -> AsyncIterator[Mapping[str, Any]]:
        """Your notifications as they come, without an end; needs ``websockets``.

        After a lost connection they go on with the one after the last, so that none is missed.
        """
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed

        refused, failures = None, 0
        while True:
            token = await self._drive(self._transport.token() if refused is None else self._transport.renew(refused))
            address = httpx.URL(f"ws{self._base_url.removeprefix('http')}/ws/notifications")
            asked = {"last_id": last_id, "tenant_id": self._tenant_id}
            address = address.copy_merge_params({name: value for name, value in asked.items() if value is not None})
            code = None
            try:
                async with connect(str(address), subprotocols=["bearer", token]) as socket:  # type: ignore[list-item]
                    async for text in socket:
                        message = json.loads(text)
                        if message["type"] == "notification":
                            last_id, failures = message["data"]["id"], 0
                            yield message["data"]
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
            except OSError:
                pass
            problem = {"code": "invalid_token", "detail": "The connection for notifications was refused", "request_id": ""}
            if code == REFUSED_MEMBERSHIP:
                raise PermissionDenied({**problem, "status": 403, "code": "not_a_member"}, None)
            if code == REFUSED_TOKEN and refused is not None:
                raise AuthenticationError({**problem, "status": 401}, None)
            refused = token if code == REFUSED_TOKEN else None
            if refused is None:
                await asyncio.sleep(min(10.0, 0.25 * 2**failures) if failures else 0)
                failures += 1

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
