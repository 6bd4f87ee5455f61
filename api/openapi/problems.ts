/** Problems in the OpenAPI document: their schema, and the problems of each operation. */
import { ERROR_CODES, type ErrorCode } from '../../domain/errors.ts';
import { pascalCase } from '../../domain/words.ts';
import { ERROR_HELP } from '../error-help.ts';
import { responseMediaTypes, useWhenFull } from '../pipeline/pipeline.ts';
import type { Route } from '../route.ts';
import type { Json } from './components.ts';
import { problemHeaders, refer, requestHeaders } from './headers.ts';
import { ID } from './vocabulary/common.ts';

const fault = {
  title: 'FieldFault',
  type: 'object',
  description: 'A fault in a member of the body',
  required: ['pointer', 'code', 'message'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901); empty for the whole body' },
    code: { type: 'string', description: 'Stable, for programs: required, invalid_type, unknown_field …' },
    message: { type: 'string', description: 'For people: what to send instead' },
  },
};

const rowFault = {
  title: 'RowFault',
  type: 'object',
  description: 'A fault in a row of a file',
  required: ['line', 'column', 'code', 'message'],
  properties: {
    line: { type: 'integer', description: 'The line of the file; 1 is the first' },
    column: { type: ['string', 'null'], description: 'The column; null for the whole line' },
    code: { type: 'string', description: 'Stable, for programs: required, invalid_type, duplicate …' },
    message: { type: 'string', description: 'For people: what to send instead' },
  },
};

export const problemSchema = {
  type: 'object',
  title: 'Problem',
  description: 'A refusal (RFC 9457). /docs/errors lists the codes.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The page that explains the code' },
    title: { type: 'string', description: 'Meaning of the code' },
    status: { type: 'integer', description: 'The status of the answer' },
    detail: { type: 'string', description: 'The fault and its remedy' },
    instance: { type: 'string', description: 'The requested path' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES), description: 'Stable, for programs' },
    request_id: { type: 'string', description: 'As in X-Request-Id and in the log' },
    operation: { type: 'string', description: 'In transactions: the id of the operation that was refused' },
    errors: {
      type: 'array',
      description: 'Faults of individual members, or of rows of a file',
      items: { anyOf: [fault, rowFault] },
    },
    uses: {
      type: 'array',
      description: 'With in_use: types of records that use it, named as in the audit log, with counts',
      items: {
        title: 'RecordUse',
        type: 'object',
        required: ['entityType', 'count'],
        properties: {
          entityType: { type: 'string', description: 'Type of record that uses it' },
          count: { type: 'integer', description: 'Number of records' },
          atLeast: { type: 'boolean', description: 'true if not all were counted' },
        },
      },
    },
  },
};

/** Codes that come together: a write that a closed period refuses is refused by one that is locked for its area. */
const ACCOMPANIED: Partial<Record<ErrorCode, readonly ErrorCode[]>> = {
  period_closed: ['period_closed', 'period_locked'],
};

/** Lists the codes that an operation may answer: those derived from its declaration, and those that it names. */
export function operationCodes(route: Route): ErrorCode[] {
  const { access, path } = route;
  const headers = requestHeaders(route);
  const writes = route.method !== 'GET';
  const keyed = headers.includes('Idempotency-Key');
  const named = access !== 'public';
  const codes: (ErrorCode | false)[] = [
    'bad_request',
    writes && 'malformed_json',
    'invalid_parameter',
    named && 'unauthorized',
    named && 'invalid_token',
    named && 'token_expired',
    named && 'not_a_member',
    named && access !== 'member' && 'forbidden',
    path.includes(':') && 'not_found',
    responseMediaTypes(route).length > 0 && 'not_acceptable',
    keyed && 'idempotency_key_in_use',
    keyed && 'answer_not_kept',
    headers.includes('If-Match') && 'stale_version',
    writes && 'body_too_large',
    writes && 'unsupported_media_type',
    writes && 'validation_failed',
    keyed && 'idempotency_key_reused',
    'too_many_requests',
    'internal_error',
    'unavailable',
    named && useWhenFull(route) !== null && 'storage_full',
  ];
  const own = (route.problems ?? []).flatMap((code) => ACCOMPANIED[code] ?? code);
  return [...new Set([...codes.filter((code) => code !== false), ...own])];
}

/** Problems that any request may meet, whatever it is about: each operation has them as its `default`. */
const ANYWHERE: readonly ErrorCode[] = [
  'not_acceptable',
  'body_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

/** Codes that go with another of their status, which alone gives the name to the component. */
const GOES_WITH: Partial<Record<ErrorCode, ErrorCode>> = {
  invalid_parameter: 'bad_request',
  malformed_json: 'bad_request',
  invalid_token: 'unauthorized',
  token_expired: 'unauthorized',
  not_a_member: 'forbidden',
};
const OF_KEYS: readonly ErrorCode[] = ['answer_not_kept', 'idempotency_key_in_use', 'idempotency_key_reused'];

/** Collects the problems of operations by status; each combination of codes becomes one component. */
export class Problems {
  readonly responses: Json = {};
  /** An example for each code. */
  readonly examples: Json = {};
  readonly #schema: unknown;

  /** @param schema common to all problems */
  constructor(schema: unknown) {
    this.#schema = schema;
  }

  forRoute(route: Route): Json {
    const own = Object.keys(route.responses).map(Number);
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of operationCodes(route)) {
      const { status } = ERROR_CODES[code];
      if (own.includes(status) || ANYWHERE.includes(code)) continue;
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const answers = [...byStatus].map(([status, codes]) => [status, this.#place(status, codes.sort(), route.path)]);
    return { ...Object.fromEntries(answers), default: this.#anyOther() };
  }

  #anyOther(): Json {
    return this.#placeAs('Problem', ANYWHERE, { status: 429, path: '/api/partners' });
  }

  #place(status: number, codes: readonly ErrorCode[], path: string): Json {
    const name = componentName(codes);
    const known = this.responses[name] as { readonly 'x-codes': readonly ErrorCode[] } | undefined;
    const isTaken = known !== undefined && known['x-codes'].join() !== codes.join();
    return this.#placeAs(isTaken ? codes.map(pascalCase).join('') : name, codes, { status, path });
  }

  #placeAs(name: string, codes: readonly ErrorCode[], { status, path }: { status: number; path: string }): Json {
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}. ${ERROR_HELP[code]}`).join('\n\n'),
      ...refer(problemHeaders(status)),
      'x-codes': codes,
      content: {
        'application/problem+json': {
          schema: this.#schema,
          examples: Object.fromEntries(codes.map((code) => [code, this.#example(code, path)])),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }

  #example(code: ErrorCode, path: string): Json {
    this.examples[code] ??= { summary: ERROR_CODES[code].title, value: sample(code, path) };
    return { $ref: `#/components/examples/${code}` };
  }
}

/** A short name for codes of one status: without those that go with others. */
function componentName(codes: readonly ErrorCode[]): string {
  const leading = codes.map((code) => GOES_WITH[code]);
  const named = codes.filter((code, index) => !OF_KEYS.includes(code) && !codes.includes(leading[index] as ErrorCode));
  const keyed = codes.some((code) => OF_KEYS.includes(code)) ? 'Keyed' : '';
  return `${keyed}${named.map(pascalCase).join('')}` || codes.map(pascalCase).join('');
}

function sample(code: ErrorCode, path: string): Json {
  const { status, title } = ERROR_CODES[code];
  return {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: DETAILS[code] ?? ERROR_HELP[code],
    instance: path.replaceAll(/:\w+/g, ID),
    code,
    request_id: ID,
    ...(code === 'validation_failed' ? { errors: [FAULT] } : {}),
    ...(code === 'in_use' ? { uses: [{ entityType: 'SalesInvoice', count: 3 }] } : {}),
  };
}

const FAULT = { pointer: '/name', code: 'required', message: 'is required' };

/** Typical details of the most common refusals. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  validation_failed: '/name: is required',
  in_use: 'It is used by 3 sales invoices',
  not_found: 'This record does not exist',
  forbidden: 'Your role (viewer) lacks the permission partners:create',
  stale_version: 'It now has version 4; you have read version 3',
  invalid_parameter: 'page must be a whole number from 1 to 1000000',
};
