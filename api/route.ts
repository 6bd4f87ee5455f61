/**
 * A route is declared once. Validation, the handler's types, the permission check, idempotency, the transaction, the OpenAPI document and
 * the docs page follow from the declaration (pipeline.ts, openapi/).
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Config } from '../config/index.ts';
import type { Context } from '../db/context.ts';
import type { Database, Db, Reader } from '../db/database.ts';
import type { Machine } from '../domain/actors.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Permission } from '../domain/permissions.ts';
import type { CallerCache } from '../services/identity/caller-cache.ts';
import type { Input } from '../services/validation/schemas.ts';
import type { Logger } from './logger.ts';
import type { Upload, UploadRules } from './middleware/upload.ts';
import type { Siblings } from './siblings.ts';
import type { WorkflowClient } from './workflow-client.ts';

/** Dependencies of handlers besides the request. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  /** What is known of callers. */
  readonly callers: CallerCache;
  /** The other processes on this address. */
  readonly siblings: Siblings;
  readonly logger: Logger;
  /** Takes the lines of requests. */
  readonly accessLog: Logger;
  /** Temporal; only for results that a request may wait for (a PDF, a test delivery). Never needed to save something. */
  readonly workflows: WorkflowClient;
  readonly now: () => Date;
}

/** Who calls: a user by token, or a machine by its key. */
export interface Caller {
  readonly userId: string | null;
  readonly machine: Machine | null;
  /** The session of the access token; null for machines. */
  readonly sessionId: string | null;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/** No token; any member of the tenant; or members whose role has the permission. */
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
  /** What reads read through: the transaction, or else the pool. Public routes have none. */
  readonly reader: Reader;
  readonly deps: Deps;
  /**
   * The version in If-Match; null when the header is absent or `*`. Its record has been compared with the path, unless that has no id
   * (`ifMatchId`).
   */
  readonly ifMatch: number | null;
  /** The record in If-Match; null if it names only a version. */
  readonly ifMatchId: string | null;
  /** The hash of the body's password, on routes that request it; null if the body has none. */
  readonly passwordHash: string | null;
  /** The client's address. */
  readonly ip: string;
  /** Whether the request comes from this machine, not through a proxy. */
  readonly fromThisMachine: boolean;
  /** As in X-Request-Id and in `ctx`; present on public routes too. */
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
}

export interface RouteResponse<Body = unknown> {
  readonly status: number;
  /** JSON value, or bytes/stream with a Content-Type in `headers`. */
  readonly body?: Body;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RouteExamples {
  /** The complete body of a request. */
  readonly body?: unknown;
  /** Members of the answer that differ from the generated example; within `data` if the answer has it. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** What a handler gets: a file, or what the schema accepts; undefined if the body may be omitted. */
type BodyOf<B extends TSchema, U, O> = [U] extends [never]
  ? O extends true
    ? Static<B> | undefined
    : Static<B>
  : Upload;

type Responses = Readonly<Record<number, TSchema | null>>;

/** A schema that the compiler checks handlers' answers against. Not for resources, whose rows are typed by data. */
interface Compared {
  readonly '~compared': true;
}

/** Marks a schema so that the compiler checks handlers' answers against it. */
export function compared<S extends TSchema>(schema: S): S & Compared {
  return schema as S & Compared;
}

/** What a handler may answer: anything, unless all schemas are compared. */
type AnswerOf<R extends Responses> = { [Status in keyof R]: AnswerBy<R[Status]> }[keyof R];
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
  /** With `:id` parameters, for example /api/partners/:id */
  readonly path: string;
  /** Unique, for example listPartners; the OpenAPI operationId. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Its group on the docs page. */
  readonly tag: string;
  readonly access: Access;
  /** Requests with a `signature` in their query need no token: the handler checks it. */
  readonly signed?: boolean;
  /** Path parameters named id or ending in Id are UUIDs unless a schema says otherwise. */
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The body is a file of one of these types instead of JSON; the handler gets an Upload. */
  readonly upload?: U;
  /** True when the body may be omitted (state changes with options). */
  readonly bodyOptional?: O;
  /** True where a body may come that says nothing, whatever its type: it is not read. */
  readonly ignoresBody?: boolean;
  /** Status → schema of the JSON answer; null for none. */
  readonly responses: R;
  /** Media types of the answer for values of the parameter `format` other than json. */
  readonly formats?: Readonly<Record<string, string>>;
  /** The path parameter of the record whose version If-Match names, if not the last one. */
  readonly versionOf?: string;
  /** True for a GET whose version covers all that is shown: clients that have it get a 304. */
  readonly whole?: boolean;
  /** Headers of its success in addition to those derived from the declaration (openapi/headers.ts). */
  readonly headers?: readonly ('ETag' | 'Warning' | 'Content-Disposition')[];
  /** Codes of its service's refusals in addition to those derived from the declaration (openapi/problems.ts). */
  readonly problems?: readonly ErrorCode[];
  /** Overrides of the generated examples (openapi/examples.ts). */
  readonly examples?: RouteExamples;
  /** For PATCH and PUT the GET of the same path, whose answer may be sent back (pipeline-sent-back.ts). Not declared, but derived. */
  readonly readBack?: Route;
  /**
   * Hashes the body's `password` before the transaction begins: hashing waits for its turn, and nobody may hold a connection while waiting
   * for anything but PostgreSQL.
   */
  readonly hashesPassword?: boolean;
  /** 'none' for changes whose handlers open their own transaction (login). */
  readonly transaction?: 'auto' | 'none';
  handler(request: RouteRequest<Static<P>, Static<Q>, BodyOf<B, U, O>>): Promise<RouteResponse<AnswerOf<R>>>;
  /**
   * Runs after the commit, also for a replayed answer: may wait for consequences and add their outcome to the answer. It gets no `db`.
   * Operations of a transaction are answered without it.
   */
  afterCommit?(
    request: RouteRequest<Static<P>, Static<Q>, BodyOf<B, U, O>>,
    answer: RouteResponse,
  ): Promise<RouteResponse>;
}

/** Declares a route; its only work is to infer the handler's types from the schemas. */
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
