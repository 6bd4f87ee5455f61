/** Operations of a transaction: each is a request to another route, checked like a single request. */
import { isRetryable, translateDatabaseError } from '../../../db/errors.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { assertPermitted } from '../../permission.ts';
import { checkedBody, compileChecks, handleOn, type RouteChecks } from '../../pipeline/pipeline.ts';
import type { AnyRequest } from '../../pipeline/request.ts';
import { isBytes } from '../../pipeline/respond.ts';
import type { Method, Route, RouteResponse } from '../../route.ts';
import type { References } from './references.ts';

export interface Operation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

interface Target {
  readonly route: Route;
  readonly pattern: RegExp;
  readonly checks: RouteChecks;
}

/** Runs one operation on the connection of the transaction. */
export type RunOperation = (
  request: AnyRequest,
  operation: Operation,
  references: References,
) => Promise<RouteResponse>;

/**
 * Compiles the routes available to operations: those that do all their work in the request's transaction, except lists.
 */
export function operationRunner(routes: readonly Route[]): RunOperation {
  const targets = routes
    .filter((route) => route.access !== 'public' && route.transaction !== 'none' && route.upload === undefined)
    .sort(bySpecificity)
    .map((route): Target => ({ route, pattern: pathPattern(route.path), checks: compileChecks(route) }));
  return async (request, operation, references) => {
    try {
      return await run(targets, request, operation, references);
    } catch (error) {
      // Repeating the whole transaction may succeed.
      if (isRetryable(error)) throw error;
      const refusal = translateDatabaseError(error);
      throw refusal instanceof ServiceError ? refusal.ofOperation(operation.id) : refusal;
    }
  };
}

async function run(
  targets: readonly Target[],
  request: AnyRequest,
  operation: Operation,
  references: References,
): Promise<RouteResponse> {
  const [path = '', querystring = ''] = references.fillPath(operation.path, '/path').split('?', 2);
  const { route, pattern, checks } = find(targets, operation.method, path);
  assertPermitted(route, request.caller);
  const params: Record<string, unknown> = { ...pattern.exec(path)?.groups };
  for (const [name, value] of Object.entries(params)) params[name] = decode(String(value));
  checks.params(params);
  const query = checks.query(querystring);
  if (query.format !== undefined)
    throw invalidMember('/path', 'not_applicable', 'cannot be an export because a transaction answers JSON only');
  if (query.preview !== undefined)
    throw invalidMember(
      '/path',
      'not_applicable',
      'cannot be previewed alone; preview the transaction: POST /api/transactions?preview=true',
    );
  const { body, refusal } = resolveOperationBody(route, operation, references, checks);
  // Hashing waits for its turn, which must not happen while a connection is held.
  if (route.hashesPassword === true && (body as { password?: unknown } | undefined)?.password !== undefined) {
    throw invalidMember('/body/password', 'not_applicable', 'cannot be set in a transaction');
  }
  const part: AnyRequest = withInput(request, { params, query, body });
  const answer = await handleOn(route, checks, part, refusal);
  if (isBytes(answer.body))
    throw invalidMember('/path', 'not_applicable', 'cannot be a file because a transaction answers JSON only');
  return answer;
}

function find(targets: readonly Target[], method: Method, path: string): Target {
  const there = targets.filter(({ pattern }) => pattern.test(path));
  // The most specific path wins, as for single requests: a literal path is not matched by another path's :id.
  const same = there.filter(({ route }) => route.path === there[0]?.route.path);
  const target = same.find(({ route }) => route.method === method);
  if (target !== undefined) return target;
  if (same.length === 0)
    throw new ServiceError('not_found', `${path} does not exist, or is not available in a transaction`);
  throw new ServiceError(
    'method_not_allowed',
    `${path} supports ${same.map(({ route }) => route.method).join(', ')} in a transaction`,
  );
}

function resolveOperationBody(
  route: Route,
  { body: sent, method }: Operation,
  references: References,
  checks: RouteChecks,
) {
  if (method === 'GET') return { body: undefined, refusal: null };
  const required = route.body !== undefined && route.bodyOptional !== true;
  if (sent === undefined && required) throw invalidMember('', 'required', 'a JSON body is required');
  return checkedBody(route, sent === undefined ? {} : references.fillBody(sent, ''), checks.body);
}

/** A copy of the request with other input, on the same connection and for the same caller. */
function withInput(request: AnyRequest, input: { params: unknown; query: unknown; body: unknown }): AnyRequest {
  const { deps, requestId, ip, fromThisMachine, header, accepts, language, ctx, caller, db, reader } = request;
  const kept = { deps, requestId, ip, fromThisMachine, header, accepts, language, ctx, caller, db, reader };
  return { ...kept, passwordHash: null, ifMatch: null, ifMatchId: null, ...input };
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}

/** Sorts literal segments before parameters, segment by segment. */
function bySpecificity({ path: one }: Route, { path: other }: Route): number {
  const form = (path: string) => path.replaceAll(/:\w+/g, '\uffff');
  if (form(one) === form(other)) return 0;
  return form(one) < form(other) ? -1 : 1;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ServiceError('invalid_parameter', 'The path is not properly URL-encoded');
  }
}
