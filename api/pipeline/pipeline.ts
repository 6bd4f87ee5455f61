/** Turns a declared route into a Koa handler, with everything that all routes share. */
import type { Context as KoaContext } from 'koa';
import { type TSchema, Type } from 'typebox';
import type { Db } from '../../db/database.ts';
import type { Shares } from '../../db/shares.ts';
import { callerName } from '../../domain/actors.ts';
import { ServiceError, validationFailed } from '../../domain/errors.ts';
import type { StorageUse } from '../../domain/platform/storage.ts';
import { authenticate, type Identity } from '../../services/access/sessions/authenticate.ts';
import { keepName, nameInToken } from '../../services/access/sessions/bearer.ts';
import { checkNewPassword, hashPassword } from '../../services/access/sessions/passwords.ts';
import { configuredKeys } from '../../services/platform/encryption/seal.ts';
import { customFieldsIn } from '../../services/platform/validation/schemas.ts';
import { assertShape } from '../../services/platform/validation/shape.ts';
import { bodyValidator, parameterValidator } from '../../services/platform/validation/validate.ts';
import { authEnv } from '../auth-env.ts';
import { bodyBytes, parseBody, readBody, takeShare } from '../middleware/body.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';
import type { RequestDetails } from '../middleware/request-log.ts';
import { fingerprint, readUpload, type Upload } from '../middleware/upload.ts';
import { assertPermitted } from '../permission.ts';
import { previewAnswer } from '../previews/preview.ts';
import type { Deps, Route, RouteResponse } from '../route.ts';
import { showCustomFields, withCustomFaults } from './custom-fields.ts';
import { expanded, wantedExpansions } from './expand.ts';
import { wantedFields, withFields } from './fields.ts';
import { assertAcceptable, readHeader, readIdempotencyKey } from './headers.ts';
import { onceInTransaction, onceOutsideTransaction } from './idempotency.ts';
import { pathParameters, readQuery } from './parameters.ts';
import type { ProcessorShares } from './processor-shares.ts';
import { type AnyRequest, createContext, HttpRequest } from './request.ts';
import { respond } from './respond.ts';
import { findChanges } from './sent-back.ts';
import { type Standby, takesStale } from './standby.ts';
import { type ThreadShares, Use } from './thread-shares.ts';

export type Handler = (http: KoaContext) => Promise<void>;

/** Requests without a company are measured for nobody. */
const NOBODYS = new Use();
const NO_BODY = Type.Object({}, { additionalProperties: false });

/** The compiled checks of a route. Each throws a ServiceError to refuse the request. */
export interface RouteChecks {
  readonly params: (params: Record<string, unknown>) => void;
  readonly query: (querystring: string) => Record<string, unknown>;
  readonly body: (body: unknown) => void;
}

const compiled = new WeakMap<Route, RouteChecks>();

/** Compiles checks once per route, regardless of the number of applications in a process. */
export function compileChecks(route: Route): RouteChecks {
  const known = compiled.get(route);
  if (known !== undefined) return known;
  const checks = {
    params: parameterValidator(pathParameters(route)),
    query: readQuery(route),
    body: bodyValidator(route.body ?? NO_BODY, route.method === 'PATCH' ? 'change' : 'new'),
  };
  compiled.set(route, checks);
  return checks;
}

/** Limits that all routes of a process share. */
export interface Limits {
  readonly rate: RateLimit;
  readonly uploads: Shares;
  readonly threads: ThreadShares;
  readonly processors: ProcessorShares;
}

/** Compiles a route. Order: authentication, rate limit, permission, parameters, turn, body, transaction, handler. */
export function createHandler(deps: Deps, route: Route, { rate, uploads, threads, processors }: Limits): Handler {
  const check = compileChecks(route);
  const mediaTypes = responseMediaTypes(route);
  const isAFile = isFile(mediaTypes);
  return async (http) => {
    (http.state.details as RequestDetails).route = route.path;
    if (!isAFile) assertAcceptable(http, () => [...mediaTypes, ...requestedFormat(route, http)]);
    const caller = await identify(deps, route, http, rate);
    const params: Record<string, unknown> = { ...(http.params as Record<string, string>) };
    check.params(params);
    const query = check.query(http.querystring);
    if (caller !== null && route.method !== 'GET' && query.preview !== 'true') {
      await deps.backlogs.turn(caller.tenantId);
      await deps.storage.pass(
        createContext(caller, String(http.state.requestId), deps.now()),
        useWhenFull(route),
        bodyBytes(http, route),
      );
    }
    let use = NOBODYS;
    if (caller !== null) {
      const over = processors.turn(caller.tenantId);
      countUntilClosed(http, over instanceof Promise ? await over : over);
      const turn = threads.turn(caller.tenantId);
      use = turn instanceof Promise ? await turn : turn;
    }
    const readsBody = route.method !== 'GET' && route.ignoresBody !== true;
    const releaseShare = readsBody ? takeShare(uploads, route, http) : () => undefined;
    try {
      const { body, refusal } = readsBody ? await readCheckedBody(route, http, check.body, use) : NO_BODY_READ;
      // An uploaded file stays in memory until it is processed.
      if (route.upload === undefined) releaseShare();
      const passwordHash = route.hashesPassword === true ? await hashBodyPassword(caller, body, refusal) : null;
      const request = new HttpRequest(deps, http, route, caller, { params, query, body, passwordHash });
      const handle: Handle = (trx) => handleOn(route, check, trx === null ? request : request.within(trx), refusal);
      if (route.previews === true && query.preview === 'true' && refusal === null) {
        respond(http, await preview(deps, route, request, handle), false, use);
        return;
      }
      const onStandby = deps.standby === null ? null : await fromStandby(deps.standby, http, route, check, request);
      const answer = onStandby ?? (await perform(deps, route, caller, request, http, refusal, handle));
      const after = answer.status < 300 ? route.afterCommit : undefined;
      respond(
        http,
        after === undefined ? answer : await after(request as never, answer),
        isWhole(route, caller, query),
        use,
      );
    } finally {
      releaseShare();
      use.end();
    }
  };
}

/**
 * Answers from the standby, if the caller takes an old state and there is a standby that is not too far behind.
 * @returns null if it cannot: a record may be too new for it, and a read in its way may end; the primary is asked then
 */
async function fromStandby(
  standby: Standby,
  http: KoaContext,
  route: Route,
  check: RouteChecks,
  request: HttpRequest,
): Promise<RouteResponse | null> {
  if (route.method !== 'GET' || route.access === 'public') return null;
  http.vary('Prefer');
  const database = takesStale(http.get('Prefer')) ? await standby.usable() : null;
  if (database === null) return null;
  try {
    const answer = await handleOn(route, check, request.on(database), null);
    http.set('Preference-Applied', 'stale');
    return answer;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unavailable') standby.failed();
    return null;
  }
}

/** Calls `over` at the end of the request, at once if its client has gone. */
function countUntilClosed({ req, state }: KoaContext, over: () => void): void {
  if (req.socket.destroyed) over();
  else (state.details as RequestDetails).over = over;
}

/** The room that a full company has for the route; null if the route always works. */
export function useWhenFull({ method, whenFull }: Pick<Route, 'method' | 'whenFull'>): StorageUse | null {
  if (whenFull === 'works' || method === 'DELETE' || method === 'GET') return null;
  return whenFull ?? 'budget';
}

/** Answers what the route would do, and undoes it. An Idempotency-Key is not used up. */
async function preview({ database }: Deps, route: Route, request: HttpRequest, handle: Handle): Promise<RouteResponse> {
  return await database.preview(request.ctx, (trx, recorded) => {
    const work = async () => {
      const answer = await handle(trx);
      return { answer, part: await route.previewWork?.(request.within(trx) as never, answer) };
    };
    return previewAnswer(trx, request.caller, work, recorded);
  });
}

/** Whether the version covers the whole response; definitions of custom fields may change it too, and who asks for other members. */
function isWhole(
  route: Route,
  caller: Identity | null,
  { fields, expand }: { readonly [name: string]: unknown },
): boolean {
  const hasCustomFields = caller?.customFieldsVersion !== 0 && customFieldsIn(route.responses[200]) !== undefined;
  return route.whole === true && fields === undefined && expand === undefined && !hasCustomFields;
}

/** Media types of the successful responses; empty if there are none. */
export function responseMediaTypes(route: Route): string[] {
  const schemas = Object.entries(route.responses).filter(([status]) => Number(status) < 300);
  const types = schemas.flatMap(([, schema]) => (schema === null ? [] : [schemaMediaType(schema)]));
  return [...new Set(types)];
}

/** Whether the route returns a file, which ignores the Accept header. */
function isFile(mediaTypes: readonly string[]): boolean {
  return mediaTypes.length > 0 && mediaTypes.every((type) => !/json/.test(type));
}

/** Media type of the format requested by `format`, which overrides the Accept header. */
function requestedFormat({ formats }: Route, http: KoaContext): string[] {
  const requested = http.query.format;
  return typeof requested === 'string' && formats !== undefined && Object.hasOwn(formats, requested)
    ? [formats[requested] as string]
    : [];
}

export function schemaMediaType(schema: TSchema): string {
  return (schema as { contentMediaType?: string }).contentMediaType ?? 'application/json';
}

async function identify(deps: Deps, route: Route, http: KoaContext, limit: RateLimit): Promise<Identity | null> {
  const authorization = readHeader(http, 'Authorization');
  if (route.access === 'public' || (route.signed === true && http.query.signature !== undefined)) {
    limit.count(http, null);
    return null;
  }
  const sender = nameInToken(authorization) ?? null;
  if (sender !== null) limit.refuse(http, sender);
  const tenant = readHeader(http, 'x-tenant-id');
  const env = { ...authEnv(deps), callers: deps.callers };
  const identity = await authenticate(env, authorization, tenant).catch((error: unknown) => {
    // Unauthenticated requests count by address; otherwise guessing would be unlimited.
    limit.count(http, null);
    throw error;
  });
  const details = http.state.details as RequestDetails;
  details.tenantId = identity.tenantId;
  details.userId = identity.userId;
  if (authorization !== undefined && sender !== null) keepName(authorization, sender);
  limit.count(http, sender);
  assertPermitted(route, identity);
  return identity;
}

interface CheckedBody {
  readonly body: unknown;
  /** Refusal of the body, thrown later because the Idempotency-Key also stores a 422. */
  readonly refusal: ServiceError | null;
}

const NO_BODY_READ: CheckedBody = { body: undefined, refusal: null };

async function readCheckedBody(
  route: Route,
  http: KoaContext,
  check: (body: unknown) => void,
  use: Use,
): Promise<CheckedBody> {
  if (route.upload !== undefined) {
    const body = await readUpload(http, route.upload);
    use.addBytes(body.content.length);
    return { body, refusal: null };
  }
  const sent = await readBody(http, route);
  if (sent === undefined && route.body !== undefined && route.bodyOptional !== true) {
    const errors = [{ pointer: '', code: 'required', message: 'a JSON body is required' }];
    return { body: {}, refusal: validationFailed(errors) };
  }
  return use.measure(() => checkedBody(route, sent === undefined ? {} : parseBody(sent), check));
}

/**
 * Checks a body against the route's schema. A body that may repeat read-only members is checked later, when their
 * values are known.
 * @throws ServiceError if the body is nested too deeply, since it could not be compared later either
 */
export function checkedBody(route: Route, body: unknown, check: (body: unknown) => void): CheckedBody {
  assertShape(body);
  if (route.readBack !== undefined && isRecord(body)) return { body, refusal: null };
  try {
    check(body);
    return { body, refusal: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { body, refusal: error };
  }
}

function isRecord(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** @throws ServiceError validation_failed, too_many_requests */
async function hashBodyPassword(
  identity: Identity | null,
  body: unknown,
  refusal: ServiceError | null,
): Promise<string | null> {
  const password = isRecord(body) ? body.password : undefined;
  // A password that is not a string is refused with the rest of the body.
  if (identity === null || refusal !== null || typeof password !== 'string') return null;
  checkNewPassword(password, '/password');
  return await hashPassword(password, identity.tenantId);
}

/** Handles a request in a transaction, or without one. */
type Handle = (trx: Db | null) => Promise<RouteResponse>;

async function perform(
  deps: Deps,
  route: Route,
  identity: Identity | null,
  request: AnyRequest,
  http: KoaContext,
  refusal: ServiceError | null,
  handle: Handle,
): Promise<RouteResponse> {
  if (identity === null) return handle(null);
  const { ctx, query, body } = request;
  const own = route.transaction === 'none';
  const key = route.method === 'POST' ? readIdempotencyKey(http) : undefined;
  if (key !== undefined) {
    const caller = callerName(identity);
    const encryptionKeys = configuredKeys(deps.config);
    const keptMs = deps.config.keep.idempotencyKeysHours * 3_600_000;
    const content = { query, body: route.upload === undefined ? body : fingerprint(body as Upload) };
    const kept = (bytes: number) => deps.storage.stored(identity.tenantId, bytes);
    const language = request.language ?? 'en';
    const keyed = { key, caller, path: http.path, language, content, encryptionKeys, keptMs, kept };
    return own
      ? onceOutsideTransaction(deps.database, ctx, keyed, () => handle(null))
      : onceInTransaction(deps.database, ctx, keyed, handle);
  }
  return own || route.method === 'GET' || refusal !== null ? handle(null) : deps.database.withTenant(ctx, handle);
}

/** Runs a route's handler. @param refusal refusal of the body by its schema */
export async function handleOn(
  route: Route,
  check: RouteChecks,
  request: AnyRequest,
  refusal: ServiceError | null,
): Promise<RouteResponse> {
  if (refusal !== null) throw await withCustomFaults(route, request, refusal);
  const { readBack } = route;
  if (readBack === undefined) return callHandler(route, request);
  const read = (get: Route) => callHandler(get, request);
  const meant = await findChanges({ ...route, readBack }, request, check.body, read);
  if (meant.refusal !== null) throw await withCustomFaults(route, meant.request, meant.refusal);
  return meant.guarded(() => callHandler(route, meant.request));
}

async function callHandler(route: Route, request: AnyRequest): Promise<RouteResponse> {
  const fields = wantedFields(route, request.query);
  const expansions = wantedExpansions(route, request);
  const answer = await showCustomFields(route, request, await route.handler(request as never));
  return withFields(await expanded(request, answer, expansions), fields);
}
