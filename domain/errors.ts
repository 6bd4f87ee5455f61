import { counted, joinWords, spacedWords } from './words.ts';

/**
 * All refusals of the service, with the HTTP status of the answer. The codes are part of the API: stable, documented in docs/errors.md, and
 * also used as failure types of workflows.
 */
export const ERROR_CODES = {
  bad_request: { status: 400, title: 'Bad request' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_parameter: { status: 400, title: 'A query or path parameter is not valid' },
  unauthorized: { status: 401, title: 'Authentication is required' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong' },
  invalid_token: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  forbidden: { status: 403, title: 'The role lacks the permission' },
  not_a_member: { status: 403, title: 'No membership in this company' },
  plugin_owned: { status: 403, title: 'It belongs to a plugin' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'The requested format is not available' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  answer_not_kept: { status: 409, title: 'It was done, but its answer was not kept' },
  batch_expired: { status: 409, title: 'The batch has expired' },
  already_initialized: { status: 409, title: 'The system is already initialised' },
  company_limit: { status: 409, title: 'No further company can be created' },
  confirmation_required: { status: 409, title: 'Confirmation is required' },
  credit_limit: { status: 409, title: 'The customer would owe more than they may' },
  document_locked: { status: 409, title: 'The document is locked' },
  duplicate: { status: 409, title: 'It already exists' },
  has_drafts: { status: 409, title: 'There are drafts' },
  has_payments: { status: 409, title: 'Payments are applied' },
  idempotency_key_in_use: { status: 409, title: 'A request with this Idempotency-Key is still running' },
  in_use: { status: 409, title: 'It is still in use' },
  insufficient_stock: { status: 409, title: 'Not enough stock' },
  invalid_transition: { status: 409, title: 'The current state does not allow this' },
  last_owner: { status: 409, title: 'A company must keep at least one owner' },
  not_last_of_series: { status: 409, title: 'Only the last document of its series can be deleted' },
  nothing_open: { status: 409, title: 'Nothing is open' },
  over_ordering: { status: 409, title: 'Cannot order more than is open' },
  over_delivery: { status: 409, title: 'Cannot deliver more than is open' },
  over_invoicing: { status: 409, title: 'Cannot invoice more than is open' },
  overlap: { status: 409, title: 'It overlaps with another' },
  period_closed: { status: 409, title: 'The accounting period is closed' },
  budget_exceeded: { status: 409, title: 'The budget is exceeded' },
  period_locked: { status: 409, title: 'The accounting period is locked for this area' },
  stale_version: { status: 412, title: 'It was changed in the meantime' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was already used for another request' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'A part of the service is down' },
  storage_full: { status: 507, title: 'The storage of the company is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Maximum faults in an answer: nobody reads more, and a short body can have a fault in every other byte. */
export const MAX_FAULTS = 100;

/** One fault of a 422: its place in the body (JSON pointer), a stable code, and what to do. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/**
 * A reason why a record cannot be deleted: the number of records that use it, by kind as in the audit log; `atLeast` if counting stopped
 * early.
 */
export interface Use {
  readonly entityType: string;
  readonly count: number;
  readonly atLeast?: true;
}

/** One fault of a file: its line (from 1), its column (null for the whole line), and a code as for members. */
export interface RowError {
  readonly line: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** A refusal. `message` becomes the problem's `detail`: it says what is wrong and what to do, and never contains a secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Faults of single members, the first 100; only with `validation_failed` and conflicts about a member. */
  readonly errors: readonly FieldError[];
  /** The uses of the record; only with `in_use`, if they were counted. */
  readonly uses: readonly Use[];
  /** Faults of a file's rows, answered in place of `errors`. */
  readonly rowErrors: readonly RowError[];
  /** Seconds after which a retry makes sense (429 and 503). */
  readonly retryAfter: number | undefined;
  /** The refused operation of a transaction. */
  readonly operation: string | undefined;
  /** The refused parameter, as a fault that fits a body with a member of that name (`asBodyFault`). */
  readonly parameter: FieldError | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      errors?: readonly FieldError[];
      uses?: readonly Use[];
      rowErrors?: readonly RowError[];
      retryAfter?: number;
      operation?: string;
      parameter?: FieldError;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = (more.errors ?? []).slice(0, MAX_FAULTS);
    this.rowErrors = more.rowErrors ?? [];
    this.uses = more.uses ?? [];
    this.retryAfter = more.retryAfter;
    this.operation = more.operation;
    this.parameter = more.parameter;
  }

  /** The same refusal, for one operation of a transaction. */
  ofOperation(operation: string): ServiceError {
    const { code, message, errors, uses, rowErrors, retryAfter, cause } = this;
    return new ServiceError(code, message, {
      errors,
      uses,
      rowErrors,
      operation,
      cause,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    });
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Whether the service has failed, so that a repetition may succeed; otherwise only a person can change the outcome. */
  get isFailure(): boolean {
    return this.status >= 500 && this.code !== 'storage_full';
  }
}

/** Builds a 422 with the given faults; its detail repeats the first one. */
export function validationFailed(errors: readonly FieldError[]): ServiceError {
  return new ServiceError('validation_failed', faultsInWords(errors), { errors });
}

/** The words of `faultsInWords`. */
export const FAULT_WORDS = { body: 'body', and: 'and', more: 'more', invalid: 'invalid' };

/** Repeats the first fault, and says how many others there are. */
export function faultsInWords(errors: readonly FieldError[], words: typeof FAULT_WORDS = FAULT_WORDS): string {
  const [first, ...others] = errors;
  if (first === undefined) return words.invalid;
  const rest = others.length > 0 ? ` (${words.and} ${others.length} ${words.more})` : '';
  return `${first.pointer || words.body}: ${first.message}${rest}`;
}

/** Builds a 422 about one member. */
export function invalidMember(pointer: string, code: string, message: string): ServiceError {
  return validationFailed([{ pointer, code, message }]);
}

/** Builds a 400 about one parameter. @param message continues the sentence after its name: 'must not be before from' */
export function refusedParameter(name: string, message: string): ServiceError {
  const parameter = { pointer: `/${name}`, code: 'invalid_parameter', message };
  return new ServiceError('invalid_parameter', `${name} ${message}`, { parameter });
}

/** The refusal of what the current state of a record does not allow. */
export function refused(message: string): ServiceError {
  return new ServiceError('invalid_transition', message);
}

/** Builds a 404 for a record that a parameter names. @param what as in `notFound` */
export function notFoundByParameter(what: string, name: string): ServiceError {
  const { code, message } = notFound(what);
  const parameter = { pointer: `/${name}`, code: 'invalid_reference', message: 'does not exist' };
  return new ServiceError(code, message, { parameter });
}

/** Converts the refusal of a parameter to a 422, for requests that send it as a member of the body; returns other errors unchanged. */
export function asBodyFault(error: unknown): unknown {
  return error instanceof ServiceError && error.parameter !== undefined ? validationFailed([error.parameter]) : error;
}

/**
 * Builds a 409 for a record in use, listing its uses.
 * @param refused the refused action, and `instead` an alternative; absent for a deletion
 */
export function inUse(uses: readonly Use[], { refused = '', instead = '' } = {}): ServiceError {
  const texts = uses.map(({ entityType, count, atLeast }) => {
    return `${atLeast ? 'at least ' : ''}${counted(count, spacedWords(entityType))}`;
  });
  const used = `t is used by ${joinWords(texts)}`;
  const message = refused === '' ? `I${used}` : `${refused}: i${used}. ${instead}`;
  return new ServiceError('in_use', message, { uses });
}

/** Builds a 404 that does not reveal whether the record never existed or belongs to another tenant. */
export function notFound(what: string): ServiceError {
  return new ServiceError('not_found', `${what} does not exist`);
}

/**
 * Builds the 409 for anything dated in a closed period.
 * @param pointer of the member with the date
 */
export function periodClosed(code: string, pointer?: string): ServiceError {
  const message = `The accounting period ${code} is closed; choose a date in an open period, or reopen it`;
  const errors = pointer === undefined ? [] : [{ pointer, code: 'period_closed', message: 'is in a closed period' }];
  return new ServiceError('period_closed', message, { errors });
}

/**
 * Builds the 409 for anything dated in a period that is locked for its area.
 * @param lock the area that is locked, or `all`
 * @param pointer of the member with the date
 */
export function periodLocked(code: string, lock: string, pointer?: string): ServiceError {
  const message =
    `The accounting period ${code} is locked (${lock}); choose a date in another period, or have somebody who may close periods ` +
    `take the lock from its lockedAreas (PATCH /api/periods/{id})`;
  const errors = pointer === undefined ? [] : [{ pointer, code: 'period_locked', message: 'is in a locked period' }];
  return new ServiceError('period_locked', message, { errors });
}
