"""Client of the business management service, sync and async."""

from . import models
from .client import AsyncClient, Client
from .errors import (
    AuthenticationError,
    ConflictError,
    NoAnswerError,
    NotFoundError,
    PermissionDenied,
    RateLimitError,
    ServiceError,
    StaleVersionError,
    TaskError,
    UnavailableError,
    ValidationError,
    WebhookError,
)
from .files import AsyncDownloadedFile, DownloadedFile
from .listing import AsyncListing, Listing, Page
from .transport import Call
from .webhooks import verify_webhook

__all__ = [
    "AsyncClient",
    "AsyncDownloadedFile",
    "AsyncListing",
    "AuthenticationError",
    "Call",
    "Client",
    "ConflictError",
    "DownloadedFile",
    "Listing",
    "NoAnswerError",
    "NotFoundError",
    "Page",
    "PermissionDenied",
    "RateLimitError",
    "ServiceError",
    "StaleVersionError",
    "TaskError",
    "UnavailableError",
    "ValidationError",
    "WebhookError",
    "models",
    "verify_webhook",
]
