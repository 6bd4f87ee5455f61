/** What the description says about problems: their form, and which answer with what. */
import { ERROR_CODES } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import type { Json } from './components.ts';

export const problemSchema = {
  type: 'object',
  title: 'Problem',
  description: 'RFC 9457. See /docs/errors for the codes.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERROR_CODES) },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: {
          pointer: { type: 'string', description: 'JSON pointer into the body (RFC 6901)' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    uses: {
      type: 'array',
      description: 'With in_use: what uses it, named as in the audit log, and how many of them',
      items: {
        type: 'object',
        required: ['entityType', 'count'],
        properties: {
          entityType: { type: 'string' },
          count: { type: 'integer' },
          atLeast: { type: 'boolean', description: 'Not all were counted' },
        },
      },
    },
  },
};

/** One answer for each status that problems have. */
export function problemResponses(schema: unknown): Json {
  const statuses = [...new Set(Object.values(ERROR_CODES).map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(ERROR_CODES).filter(([, error]) => error.status === status);
      const description = codes.map(([code, { title }]) => `\`${code}\`: ${title}`).join('\n\n');
      return [`Problem${status}`, { description, content: { 'application/problem+json': { schema } } }];
    }),
  );
}

/**
 * The problems that the conventions make possible for such a route; what a service refuses besides stands in its description.
 * @param conditional whether it takes If-Match
 */
export function problemsOf(route: Route, conditional: boolean): Json {
  const writes = route.method !== 'GET';
  const statuses = [
    400,
    ...(route.access === 'public' ? [] : [401, 403]),
    ...(route.path.includes(':') ? [404] : []),
    406,
    ...(writes ? [409, 413, 415, 422] : []),
    ...(conditional ? [412] : []),
    429,
    500,
    503,
  ].filter((status) => !(status in route.responses));
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}
