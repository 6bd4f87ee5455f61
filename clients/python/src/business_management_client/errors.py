"""Failures as classes: a refusal of the service is a ServiceError, by its status one of those that extend it."""

from __future__ import annotations

from typing import Any

import httpx


class ServiceError(Exception):
    """The service has refused a request, and changed nothing."""

    def __init__(self, problem: dict[str, Any], retry_after: int | None) -> None:
        super().__init__(f"{problem['code']}: {problem['detail']} (request {problem['request_id']})")
        self.problem = problem
        #: Seconds to wait before a repetition; None if it does not say.
        self.retry_after = retry_after
        self.status: int = problem["status"]
        #: Stable, for programs: /docs/errors of the service lists them.
        self.code: str = problem["code"]
        #: Id of the request, as in the log of the service.
        self.request_id: str = problem["request_id"]
        #: Faults of single members, or of rows of a file.
        self.errors: list[dict[str, Any]] = problem.get("errors", [])

    @property
    def pointer(self) -> str | None:
        """The first member with a fault, as JSON pointer; None if it is about none."""
        return self.errors[0].get("pointer") if self.errors else None


class ValidationError(ServiceError):
    """400 and 422: a parameter or a member must be different."""


class AuthenticationError(ServiceError):
    """401: no valid token or key."""


class PermissionDenied(ServiceError):
    """403: without the permission, or not a member of the company."""


class NotFoundError(ServiceError):
    """404: no such record in this company."""


class ConflictError(ServiceError):
    """409: the present state does not allow it."""


class StaleVersionError(ServiceError):
    """412: the record has been changed since it was read."""


class RateLimitError(ServiceError):
    """429: too many requests, also after all repetitions."""


class UnavailableError(ServiceError):
    """5xx: the service, or a part that it needs, does not answer."""


class NoAnswerError(Exception):
    """No answer has come. A request that writes may have been carried out; a POST is safe to repeat with the same idempotency_key."""


class TaskError(Exception):
    """A background task has failed or was cancelled."""

    def __init__(self, task: Any) -> None:
        super().__init__(f"The task {task.id} has ended as {task.status}: {task.message}")
        self.task = task


class WebhookError(Exception):
    """A request that the service has not sent, or that is too old."""


BY_STATUS: dict[int, type[ServiceError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFoundError,
    409: ConflictError,
    412: StaleVersionError,
    422: ValidationError,
    429: RateLimitError,
}


def to_error(response: httpx.Response) -> ServiceError:
    """Makes the error of a refusal. What has no body of a problem, such as the answer of a proxy, gets one."""
    try:
        problem = response.json()
        if not isinstance(problem, dict) or "code" not in problem:
            raise ValueError("no problem details")
    except ValueError:
        problem = {
            "status": response.status_code,
            "code": "no_problem_details",
            "detail": response.text[:500] or response.reason_phrase,
            "request_id": response.headers.get("X-Request-Id", ""),
        }
    after = response.headers.get("Retry-After", "")
    made = BY_STATUS.get(response.status_code, UnavailableError if response.status_code >= 500 else ServiceError)
    return made(problem, int(after) if after.isdigit() else None)
