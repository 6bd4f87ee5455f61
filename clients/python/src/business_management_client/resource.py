"""The kinds of calls that the methods of all resources make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter

from .encoding import from_json
from .files import AsyncDownloadedFile, DownloadedFile
from .listing import AsyncListing, Listing
from .transport import Call


def path_of(form: str, *ids: str) -> str:
    """Puts ids in their places. An empty one would ask for something else."""
    for one in ids:
        if not isinstance(one, str) or one == "":
            raise TypeError("an id must be a text")
    return form.format(*(quote(one, safe="") for one in ids))


def to_data(content: bytes, shape: Any) -> Any:
    """What is in ``data``, or the whole answer of those without it; None for an answer without content."""
    if shape is None or content == b"":
        return None
    answer = from_json(content)
    return TypeAdapter(shape).validate_python(answer["data"] if isinstance(answer, dict) and "data" in answer else answer)


class Resource:
    def __init__(self, client: Any) -> None:
        self._client = client

    def _list(self, path: str, row: Any, query: Mapping[str, Any]) -> Listing[Any]:
        return Listing(self._client.run, path, row, query)

    def _call(self, shape: Any, method: str, path: str, **call: Any) -> Any:
        return to_data(self._client.run(Call(method, path, **call)).content, shape)

    def _file(self, path: str, query: Mapping[str, Any]) -> DownloadedFile:
        return DownloadedFile(self._client.run(Call("GET", path, query, stream=True)))


class AsyncResource:
    def __init__(self, client: Any) -> None:
        self._client = client

    def _list(self, path: str, row: Any, query: Mapping[str, Any]) -> AsyncListing[Any]:
        return AsyncListing(self._client.run, path, row, query)

    async def _call(self, shape: Any, method: str, path: str, **call: Any) -> Any:
        return to_data((await self._client.run(Call(method, path, **call))).content, shape)

    async def _file(self, path: str, query: Mapping[str, Any]) -> AsyncDownloadedFile:
        return AsyncDownloadedFile(await self._client.run(Call("GET", path, query, stream=True)))
