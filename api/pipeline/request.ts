/** The request as handlers receive it. Members are created on demand, since most handlers need few of them. */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../../db/context.ts';
import type { Database, Db, Reader } from '../../db/database.ts';
import { machineActor } from '../../domain/actors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import type { Identity } from '../../services/access/sessions/authenticate.ts';
import { isFromThisMachine } from '../middleware/client-address.ts';
import { acceptedLanguage } from '../middleware/language.ts';
import type { Deps, Route, RouteRequest } from '../route.ts';
import { assertSameRecord, type NamedVersion, readHeader, readIfMatch } from './headers.ts';

export type AnyRequest = RouteRequest<unknown, unknown, unknown>;

export interface RequestInput {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly passwordHash: string | null;
}

export class HttpRequest implements AnyRequest {
  readonly deps: Deps;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly passwordHash: string | null;
  readonly requestId: string;
  private readonly http: KoaContext;
  private readonly identity: Identity | null;
  private readonly context: Context | null;
  private readonly named: NamedVersion | null;
  private readonly transaction: Db | null = null;

  /** Reads the request. @throws ServiceError for an invalid If-Match; stale_version if it names another record */
  constructor(deps: Deps, http: KoaContext, route: Route, identity: Identity | null, input: RequestInput) {
    this.deps = deps;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.passwordHash = input.passwordHash;
    this.requestId = String(http.state.requestId);
    this.http = http;
    this.identity = identity;
    this.context = identity && createContext(identity, this.requestId, deps.now());
    this.named = readIfMatch(http);
    assertSameRecord(route, this.named, input.params, identity?.tenantId);
  }

  /** The same request in a transaction. */
  within(transaction: Db): AnyRequest {
    return Object.create(this, { transaction: { value: transaction } }) as AnyRequest;
  }

  /** The same request on another database. */
  on(database: Database): AnyRequest {
    return Object.create(this, { deps: { value: { ...this.deps, database } } }) as AnyRequest;
  }

  get ctx(): Context {
    return required(this.context, 'tenant');
  }

  get caller(): Identity {
    return required(this.identity, 'caller');
  }

  get db(): Db {
    return required(this.transaction, 'transaction');
  }

  get reader(): Reader {
    return this.transaction ?? this.deps.database.reader(this.ctx);
  }

  get ifMatch(): number | null {
    return this.named?.version ?? null;
  }

  get ifMatchId(): string | null {
    return this.named?.id ?? null;
  }

  get ip(): string {
    return this.http.ip;
  }

  get fromThisMachine(): boolean {
    return isFromThisMachine(this.http);
  }

  get header(): AnyRequest['header'] {
    return (name) => readHeader(this.http, name);
  }

  get language(): Language | null {
    return acceptedLanguage(this.http);
  }

  get accepts(): AnyRequest['accepts'] {
    return (coding) => this.http.acceptsEncodings(coding) !== false;
  }
}

/** The context in which a caller's request acts. */
export function createContext(
  { tenantId, userId, machine, customFieldsVersion }: Identity,
  requestId: string,
  now: Date,
): Context {
  return { tenantId, userId, actor: machine && machineActor(machine), requestId, now, customFieldsVersion };
}

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new TypeError(`This route has no ${what}`);
  return value;
}
