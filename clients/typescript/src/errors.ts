/** Failures as classes: a refusal of the service is a ServiceError, by its status one of those that extend it. */

/** The body of a refusal (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  /** Stable, for programs: /docs/errors of the service lists them. */
  readonly code: string;
  readonly request_id: string;
  /** Faults of single members, or of rows of a file. */
  readonly errors?: readonly Fault[];
  readonly [more: string]: unknown;
}

export interface Fault {
  /** JSON pointer into the body. */
  readonly pointer?: string;
  readonly line?: number;
  readonly column?: string | null;
  readonly code: string;
  readonly message: string;
}

/** The service has refused a request, and changed nothing. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError';
  readonly problem: Problem;
  /** Seconds to wait before a repetition; null if it does not say. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null) {
    super(`${problem.code}: ${problem.detail} (request ${problem.request_id})`);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): string {
    return this.problem.code;
  }

  /** Id of the request, as in the log of the service. */
  get requestId(): string {
    return this.problem.request_id;
  }

  get errors(): readonly Fault[] {
    return this.problem.errors ?? [];
  }

  /** The first member with a fault, as JSON pointer; undefined if it is about none. */
  get pointer(): string | undefined {
    return this.errors[0]?.pointer;
  }
}

/** 400 and 422: a parameter or a member must be different. */
export class ValidationError extends ServiceError {
  override readonly name = 'ValidationError';
}

/** 401: no valid token or key. */
export class AuthenticationError extends ServiceError {
  override readonly name = 'AuthenticationError';
}

/** 403: without the permission, or not a member of the company. */
export class PermissionError extends ServiceError {
  override readonly name = 'PermissionError';
}

/** 404: no such record in this company. */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
}

/** 409: the present state does not allow it. */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';
}

/** 412: the record has been changed since it was read. */
export class StaleVersionError extends ServiceError {
  override readonly name = 'StaleVersionError';
}

/** 429: too many requests, also after all repetitions. */
export class RateLimitError extends ServiceError {
  override readonly name = 'RateLimitError';
}

/** 5xx: the service, or a part that it needs, does not answer. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
}

/** No answer has come. A request that writes may have been carried out; a POST is safe to repeat with the same `idempotencyKey`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A background task has failed or was cancelled. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  readonly task: { readonly id: string; readonly status: string; readonly message?: string | null };

  constructor(task: TaskError['task']) {
    super(`The task ${task.id} has ended as ${task.status}${task.message ? `: ${task.message}` : ''}`);
    this.task = task;
  }
}

type Made = new (problem: Problem, retryAfter: number | null) => ServiceError;

const BY_STATUS: Readonly<Record<number, Made>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: StaleVersionError,
  422: ValidationError,
  429: RateLimitError,
};

/** Makes the error of a refusal. What has no body of a problem, such as the answer of a proxy, gets one. */
export async function toError(response: Response): Promise<ServiceError> {
  const { status } = response;
  const text = await response.text().catch(() => '');
  const problem = parsed(text) ?? {
    type: 'about:blank',
    title: response.statusText,
    status,
    detail: text.slice(0, 500) || response.statusText,
    instance: response.url,
    code: 'no_problem_details',
    request_id: response.headers.get('X-Request-Id') ?? '',
  };
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  const Made = BY_STATUS[status] ?? (status >= 500 ? UnavailableError : ServiceError);
  return new Made(problem, Number.isNaN(seconds) ? null : seconds);
}

function parsed(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return typeof body?.code === 'string' ? (body as Problem) : undefined;
  } catch {
    return undefined;
  }
}
