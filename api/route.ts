/**
 * Route declarations. Each route is declared once; validation, handler types, the permission check, idempotency, the
 * transaction, the OpenAPI document and the docs page follow from the declaration (pipeline/, openapi/).
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Config } from '../config/index.ts';
import type { Context } from '../db/context.ts';
import type { Database, Db, Reader } from '../db/database.ts';
import type { Machine } from '../domain/actors.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Language } from '../domain/locale/formats.ts';
import type { Permission } from '../domain/permissions.ts';
import type { CallerCache } from '../services/access/sessions/caller-cache.ts';
import type { StorageGate } from '../services/operation/storage/gate.ts';
import type { Input } from '../services/platform/validation/schemas.ts';
import type { Draining } from './draining.ts';
import type { Logger } from './logger.ts';
import type { Upload, UploadRules } from './middleware/upload.ts';
import type { Backlogs } from './pipeline/backlogs.ts';
import type { Standby } from './pipeline/standby.ts';
import type { Siblings } from './siblings.ts';
import type { WorkflowClient } from './workflow-client.ts';

/** Dependencies of handlers, apart from the request. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  /** A standby for reads that may be old; null without one. */
  readonly standby: Standby | null;
  /** Cached data about callers. */
  readonly callers: CallerCache;
  /** Lets requests pass while their company has room. */
  readonly storage: StorageGate;
  /** Slows down companies whose events wait for long. */
  readonly backlogs: Backlogs;
  /** The other processes on this address. */
  readonly siblings: Siblings;
  /** Whether this process is about to end. */
  readonly draining: Draining;
  readonly logger: Logger;
  /** Logger for request lines. */
  readonly accessLog: Logger;
  /** Temporal, only for results that a request may wait for (a PDF, a test delivery). Never needed to save data. */
  readonly workflows: WorkflowClient;
  readonly now: () => Date;
}

/** The caller: a user with a token, or a machine with its key. */
export interface Caller {
  readonly userId: string | null;
  readonly machine: Machine | null;
  /** The session of the access token; null for machines. */
  readonly sessionId: string | null;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/** Required access: no token; membership of the tenant; or a role with the permission. */
export type Access = 'public' | 'member' | Permission;

export interface RouteRequest<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Present except on public routes. */
  readonly ctx: Context;
  readonly caller: Caller;
  /**
   * The transaction of a change, which also contains the Idempotency-Key; it commits when the handler returns and rolls back when it
   * throws. GET, public routes and `transaction: 'none'` have none: using it throws.
   */
  readonly db: Db;
  /** Connection for reads: the transaction, otherwise the pool. Public routes have none. */
  readonly reader: Reader;
  readonly deps: Deps;
  /**
   * Version in If-Match; null if the header is absent or `*`. Its record has been compared with the path, unless that
   * has no id (`ifMatchId`).
   */
  readonly ifMatch: number | null;
  /** Record in If-Match; null if it names only a version. */
  readonly ifMatchId: string | null;
  /** The hash of the body's password, on routes that request it; null if the body has none. */
  readonly passwordHash: string | null;
  /** The client's address. */
  readonly ip: string;
  /** Whether the request comes from this machine, not through a proxy. */
  readonly fromThisMachine: boolean;
  /** Request id as in X-Request-Id and `ctx`; present on public routes too. */
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The service's language that the client asks for; null if it asks for none. */
  readonly language: Language | null;
  /** Whether the client accepts a content coding, such as `gzip`. */
  readonly accepts: (coding: string) => boolean;
}

export interface RouteResponse<Body = unknown> {
  readonly status: number;
  /** JSON value, or bytes or a stream with a Content-Type in `headers`. */
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface PreviewedWork {
  readonly document: unknown;
  readonly complete: boolean;
}

export interface RouteExamples {
  /** A complete request body. */
  readonly body?: unknown;
  /** Members of the response that differ from the generated example; within `data` if the response has it. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** The body that a handler receives: a file, or a value of the schema; undefined if the body may be omitted. */
type HandlerBody<B extends TSchema, U, O> = [U] extends [never]
  ? O extends true
    ? Static<B> | undefined
    : Static<B>
  : Upload;

type Responses = Readonly<Record<number, TSchema | null>>;

/**
 * A schema against which the compiler checks handlers' responses. Not used for resources, whose rows are typed by data.
 */
interface Compared {
  readonly '~compared': true;
}

/** Marks a schema so that the compiler checks handlers' responses against it. */
export function compared<S extends TSchema>(schema: S): S & Compared {
  return schema as S & Compared;
}

/** The allowed responses of a handler: any, unless all schemas are marked with `compared`. */
type HandlerAnswer<R extends Responses> = { [Status in keyof R]: AnswerBy<R[Status]> }[keyof R];
type AnswerBy<S> = S extends Compared & TSchema
  ? Input<S>
  : S extends TObject<{ data: infer Data extends Compared & TSchema }>
    ? { readonly data: Input<Data> }
    : unknown;

export interface Route<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  U extends UploadRules = UploadRules,
  O extends boolean = boolean,
  R extends Responses = Responses,
> {
  readonly method: Method;
  /** Path with `:id` parameters, for example /api/partners/:id */
  readonly path: string;
  /** Unique id, for example listPartners; the OpenAPI operationId. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Group on the docs page. */
  readonly tag: string;
  readonly access: Access;
  /** Whether requests with a `signature` in their query need no token because the handler checks it. */
  readonly signed?: boolean;
  /** Path parameters named id or ending in Id are UUIDs unless a schema says otherwise. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Media types of the file that is the body instead of JSON; the handler gets an Upload. */
  readonly upload?: U;
  /** Whether the body may be omitted (status changes with options). */
  readonly bodyOptional?: O;
  /** Whether any body is accepted but not read. */
  readonly ignoresBody?: boolean;
  /** Schema of the JSON response by status; null for none. */
  readonly responses: R;
  /** Media types of the response for values of the parameter `format` other than json. */
  readonly formats?: Readonly<Record<string, string>>;
  /** Path parameter of the record whose version If-Match names, if not the last one. */
  readonly versionOf?: string;
  /** Does, before the process listens, what the first answer would have to wait for. */
  readonly prepare?: () => Promise<void>;
  /** Whether the version of a GET covers everything shown: clients that have it get a 304. */
  readonly whole?: boolean;
  /** Headers of successful responses, in addition to those derived from the declaration (openapi/headers.ts). */
  readonly headers?: readonly ('ETag' | 'Warning' | 'Content-Disposition')[];
  /** Error codes of its service, in addition to those derived from the declaration (openapi/problems.ts). */
  readonly problems?: readonly ErrorCode[];
  /** Overrides for the generated examples (openapi/examples.ts). */
  readonly examples?: RouteExamples;
  /**
   * For PATCH and PUT: the GET of the same path, whose response may be sent back (pipeline/sent-back.ts). Derived, not
   * declared.
   */
  readonly readBack?: Route;
  /** Whether a PUT takes something other than what GET shows, such as a file: nothing that was read can be sent back. */
  readonly isUpload?: boolean;
  /**
   * Whether to hash the body's `password` before the transaction begins: hashing waits for its turn, and a connection
   * may not be held while waiting for anything but PostgreSQL.
   */
  readonly hashesPassword?: boolean;
  /** Whether `?preview=true` shows what would be done. Not declared, but derived (previews/preview.ts). */
  readonly previews?: boolean;
  /**
   * Does the first part of background work in the preview's transaction, after the handler.
   * @returns the document of the preview, and whether that was all of the work
   */
  previewWork?(
    request: RouteRequest<Static<P>, Static<Q>, HandlerBody<B, U, O>>,
    answer: RouteResponse,
  ): Promise<PreviewedWork>;
  /**
   * Whether a company without room can use it (decision 0232): 'works' for what stores nothing worth mentioning and must always work,
   * 'reserve' for what keeps it working. By default, deletions and reads work, and everything else is refused.
   */
  readonly whenFull?: 'works' | 'reserve';
  /** 'none' for changes whose handlers open their own transactions (login). */
  readonly transaction?: 'auto' | 'none';
  handler(request: RouteRequest<Static<P>, Static<Q>, HandlerBody<B, U, O>>): Promise<RouteResponse<HandlerAnswer<R>>>;
  /**
   * Runs after the commit, also for a replayed response. It may wait for consequences and add their outcome to the
   * response. It has no `db`. It does not run for operations of a transaction.
   */
  afterCommit?(
    request: RouteRequest<Static<P>, Static<Q>, HandlerBody<B, U, O>>,
    answer: RouteResponse,
  ): Promise<RouteResponse>;
}

/** Declares a route; it only serves to infer the handler's types from the schemas. */
export function defineRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  U extends UploadRules = never,
  O extends boolean = false,
  const R extends Responses = Responses,
>(route: Route<P, Q, B, U, O, R>): Route {
  return route as unknown as Route;
}
