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

/** Lists the codes that an operation may answer: those derived from its declaration, and those that it names. */
export function operationCodes(route: Route): ErrorCode[] {
  const { access, path } = route;
  const headers = requestHeaders(route);
  const writes = route.method !== 'GET';
  const keyed = headers.includes('Idempotency-Key');
  const named = access !== 'public';
  const codes: (ErrorCode | false)[] = [
    named && 'bad_request',
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
  return [...new Set([...codes.filter((code) => code !== false), ...(route.problems ?? [])])];
}

/** Collects the problems of operations by status; each combination of codes becomes one component. */
export class Problems {
  readonly responses: Json = {};
  readonly #schema: unknown;

  /** @param schema common to all problems */
  constructor(schema: unknown) {
    this.#schema = schema;
  }

  forRoute(route: Route): Json {
    const byStatus = new Map<number, ErrorCode[]>();
    for (const code of operationCodes(route)) {
      const { status } = ERROR_CODES[code];
      byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
    }
    const own = Object.keys(route.responses).map(Number);
    const answers = [...byStatus].filter(([status]) => !own.includes(status)).sort(([one], [other]) => one - other);
    return Object.fromEntries(
      answers.map(([status, codes]) => [status, { $ref: this.#place(status, codes.sort(), route.path) }]),
    );
  }

  #place(status: number, codes: readonly ErrorCode[], path: string): string {
    const name = codes.map(pascalCase).join('');
    this.responses[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}. ${ERROR_HELP[code]}`).join('\n\n'),
      headers: refer(problemHeaders(status)),
      'x-codes': codes,
      content: {
        'application/problem+json': {
          schema: this.#schema,
          examples: Object.fromEntries(codes.map((code) => [code, { value: sample(code, path) }])),
        },
      },
    };
    return `#/components/responses/${name}`;
  }
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
