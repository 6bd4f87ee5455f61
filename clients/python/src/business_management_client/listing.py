"""Lists: a page at a time, or all rows one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter

from .encoding import from_json
from .transport import Call

Row = TypeVar("Row")
#: Rows of a page while all rows are read: as many as the service gives.
ROWS = 500


class Page(Generic[Row]):
    def __init__(self, data: list[Row], pagination: Mapping[str, Any]) -> None:
        self.data = data
        #: Number of matching rows.
        self.total: int = pagination["total"]
        self.has_more: bool = pagination["has_more"]


class _Listing(Generic[Row]):
    def __init__(self, run: Callable[[Call], Any], path: str, row: Any, query: Mapping[str, Any]) -> None:
        self._run = run
        self._path = path
        self._row = row
        self._query = query

    def _call(self, **query: Any) -> Call:
        return Call("GET", self._path, {**self._query, **query})

    def _page(self, response: Any) -> Page[Row]:
        answer = from_json(response.content)
        return Page(TypeAdapter(list[self._row]).validate_python(answer["data"]), answer["pagination"])  # type: ignore[name-defined]

    def _whole(self, number: int) -> Call:
        return self._call(page=number, limit=self._query.get("limit", ROWS))


class Listing(_Listing[Row]):
    """The rows of a list: ``for row in listing`` reads all of them, page by page."""

    def page(self, number: int = 1) -> Page[Row]:
        return self._page(self._run(self._call(page=number)))

    def first(self) -> Row | None:
        """The first row; None for none."""
        rows = self._page(self._run(self._call(page=1, limit=1))).data
        return rows[0] if rows else None

    def __iter__(self) -> Iterator[Row]:
        number, more = 1, True
        while more:
            page = self._page(self._run(self._whole(number)))
            yield from page.data
            number, more = number + 1, page.has_more


class AsyncListing(_Listing[Row]):
    """The rows of a list: ``async for row in listing`` reads all of them, page by page."""

    async def page(self, number: int = 1) -> Page[Row]:
        return self._page(await self._run(self._call(page=number)))

    async def first(self) -> Row | None:
        """The first row; None for none."""
        rows = self._page(await self._run(self._call(page=1, limit=1))).data
        return rows[0] if rows else None

    async def __aiter__(self) -> AsyncIterator[Row]:
        number, more = 1, True
        while more:
            page = self._page(await self._run(self._whole(number)))
            for row in page.data:
                yield row
            number, more = number + 1, page.has_more
