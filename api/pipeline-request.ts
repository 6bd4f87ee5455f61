/** The request as handlers get it. Its members are made when they are asked for, since most handlers need few. */
import type { Context as KoaContext } from 'koa';
import type { Context } from '../db/context.ts';
import type { Db, Reader } from '../db/database.ts';
import { actorOf } from '../domain/actors.ts';
import type { Identity } from '../services/identity/authenticate.ts';
import { isFromThisMachine } from './middleware/client-address.ts';
import { assertSameRecord, headerOf, type NamedVersion, readIfMatch } from './pipeline-headers.ts';
import type { Deps, Route, RouteRequest } from './route.ts';

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

  /** @throws ServiceError for a bad If-Match, and stale_version when it names another record */
  constructor(deps: Deps, http: KoaContext, route: Route, identity: Identity | null, input: RequestInput) {
    this.deps = deps;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.passwordHash = input.passwordHash;
    this.requestId = String(http.state.requestId);
    this.http = http;
    this.identity = identity;
    this.context = identity && contextOf(identity, this.requestId, deps.now());
    this.named = readIfMatch(http);
    assertSameRecord(route, this.named, input.params, identity?.tenantId);
  }

  /** The same request in a transaction. */
  within(transaction: Db): AnyRequest {
    return Object.create(this, { transaction: { value: transaction } }) as AnyRequest;
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
    return (name) => headerOf(this.http, name);
  }
}

function contextOf(
  { tenantId, userId, machine, customFieldsVersion }: Identity,
  requestId: string,
  now: Date,
): Context {
  return { tenantId, userId, actor: machine && actorOf(machine), requestId, now, customFieldsVersion };
}

function required<T>(value: T | null, what: string): T {
  if (value === null) throw new TypeError(`This route has no ${what}`);
  return value;
}
