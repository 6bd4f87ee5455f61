"""Files that the service sends, as streams."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from urllib.parse import unquote

import httpx


class _File:
    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.type: str = response.headers.get("Content-Type", "application/octet-stream")
        #: The name that the service gives it; None if it gives none.
        self.name: str | None = _name(response.headers.get("Content-Disposition", ""))


class DownloadedFile(_File):
    def read(self) -> bytes:
        """All bytes; closes it."""
        return self._response.read()

    def stream(self) -> Iterator[bytes]:
        """Its bytes as they arrive."""
        try:
            yield from self._response.iter_bytes()
        finally:
            self._response.close()

    def close(self) -> None:
        self._response.close()


class AsyncDownloadedFile(_File):
    async def read(self) -> bytes:
        """All bytes; closes it."""
        return await self._response.aread()

    async def stream(self) -> AsyncIterator[bytes]:
        """Its bytes as they arrive."""
        try:
            async for part in self._response.aiter_bytes():
                yield part
        finally:
            await self._response.aclose()

    async def close(self) -> None:
        await self._response.aclose()


def _name(disposition: str) -> str | None:
    encoded = re.search(r"filename\*=UTF-8''([^;]+)", disposition, re.IGNORECASE)
    if encoded:
        return unquote(encoded[1])
    plain = re.search(r'filename="([^"]*)"', disposition, re.IGNORECASE)
    return plain[1] if plain else None
