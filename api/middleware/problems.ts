/** Answers refusals and failures as application/problem+json (RFC 9457); see docs/errors.md for the codes. */
import { STATUS_CODES } from 'node:http';
import type { Context as KoaContext, Middleware } from 'koa';
import { ERROR_CODES, type ErrorCode, MAX_FAULTS, ServiceError } from '../../domain/errors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import { translateError } from '../../domain/locale/translate-error.ts';
import { fileOutage, unavailable } from '../../domain/platform/outages.ts';
import type { Logger } from '../logger.ts';
import { acceptedLanguage } from './language.ts';

/** An error of the HTTP libraries, with a status and whether its text may be shown. */
interface HttpError extends Error {
  readonly status: number;
}

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_request',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/**
 * Answers all errors thrown by inner layers. Failures of our own (5xx) are logged in full, but answered without
 * details.
 */
export function problems(logger: Logger): Middleware {
  return async (http, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = toServiceError(error);
      if (refusal.isFailure) {
        const { requestId } = http.state as { requestId?: string };
        logger.error(
          { requestId, err: error },
          refusal.code === 'unavailable' ? 'part of the service is down' : 'request failed',
        );
      }
      answer(http, refusal);
    }
  };
}

/** Builds the JSON of a problem. */
export function problemJson(
  error: ServiceError,
  request: { instance: string; requestId: string; language?: Language },
): Record<string, unknown> {
  const { title, detail, errors, rowErrors } = translateError(error, request.language ?? 'en');
  return {
    type: `/docs/errors#${error.code}`,
    title,
    status: error.status,
    detail,
    instance: request.instance,
    code: error.code,
    request_id: request.requestId,
    ...(error.operation === undefined ? {} : { operation: error.operation }),
    ...(errors.length > 0 ? { errors } : {}),
    ...(rowErrors.length > 0 ? { errors: rowErrors.slice(0, MAX_FAULTS) } : {}),
    ...(error.uses.length > 0 ? { uses: error.uses } : {}),
  };
}

function answer(http: KoaContext, error: ServiceError): void {
  http.status = error.status;
  // The rest of an unread body would block the connection's next request.
  if (error.status === 413) http.set('Connection', 'close');
  if (error.status === 401) http.set('WWW-Authenticate', 'Bearer');
  if (error.retryAfter !== undefined) http.set('Retry-After', String(error.retryAfter));
  http.remove('ETag');
  const language = acceptedLanguage(http) ?? 'en';
  const problem = problemJson(error, { instance: http.path, requestId: String(http.state.requestId), language });
  http.set('Content-Language', language);
  http.body = JSON.stringify(problem);
  http.set('Content-Type', 'application/problem+json; charset=utf-8');
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const trouble = fileOutage(error);
  if (trouble !== null) return unavailable(trouble, error);
  if (isHttpError(error)) {
    const code = CODE_OF_STATUS[error.status] ?? 'bad_request';
    return new ServiceError(code, STATUS_CODES[error.status] ?? ERROR_CODES[code].title, { cause: error });
  }
  return new ServiceError('internal_error', 'The request failed; the log has the reason under this request_id', {
    cause: error,
  });
}

/** Whether it is a refusal by the HTTP layer; a library's 5xx is a failure like any other. */
function isHttpError(error: unknown): error is HttpError {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500;
}
