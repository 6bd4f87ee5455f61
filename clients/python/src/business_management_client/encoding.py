"""Values as the service reads and writes them: exact numbers, days, filters with operators."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import BaseModel


def to_query(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Writes parameters: ``{"total": {"gte": 100}}`` is ``total[gte]=100``. Those that are None are left out."""
    pairs: list[tuple[str, str]] = []
    for name, value in parameters.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{operator}]", to_text(operand)) for operator, operand in value.items()]
        else:
            pairs.append((name, to_text(value)))
    return pairs


def to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set)):
        return ",".join(to_text(one) for one in value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    return str(value)


def to_json(body: Any) -> bytes:
    """Writes a body. Decimals are numbers: the service takes at most 15 significant digits, which a float has exactly."""
    return json.dumps(body, default=_plain, ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, Decimal):
        return float(value) if value % 1 else int(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def from_json(content: bytes) -> Any:
    """Reads an answer, with numbers exactly as they are."""
    return json.loads(content, parse_float=Decimal)
