/** Looks regularly for what people have to be told of (decision 0188). Processes may do so side by side: each thing is told once. */
import type { Config } from '../../config/index.ts';
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { judgeDisk, judgeLag, type MachineKind, type Verdict } from '../../domain/incidents.ts';
import * as texts from '../../domain/notifications/alerts.ts';
import { diskSpaces } from '../operation/disk.ts';
import { type DeadOfCompany, deadByCompany } from '../outbox/dead.ts';
import { lagSeconds } from '../outbox/lag.ts';
import { begin, end, forgetUnseen, type Incident, type OpenIncident, openIncidents, tellAgain } from './incidents.ts';

const INTERVAL_MS = 15_000;
/** A machine that nobody has looked at for so long is gone. */
const GONE_MS = 3_600_000;
/** A company is told of events set aside once in so many seconds. */
const QUIET_SECONDS = 3600;
const MACHINE: readonly MachineKind[] = ['disk_low', 'outbox_lag'];

export interface WatchDeps {
  readonly database: Database;
  readonly diskSpaces: () => Promise<texts.DiskSpace[]>;
  /** Less than this is too little, unless the disk is small. */
  readonly diskLowBytes: number;
  /** The company whose owners and administrators run the service; without it the only one there is. */
  readonly operatorTenantId: string | undefined;
  readonly logger: { readonly warn: (about: object, message: string) => void };
  readonly now: () => Date;
}

/** A watch of this machine, by the configuration. */
export function watchOf({
  config,
  ...deps
}: Pick<WatchDeps, 'database' | 'logger' | 'now'> & { readonly config: Pick<Config, 'alerts' | 'dataDir'> }): Watch {
  return new Watch({ ...deps, ...config.alerts, diskSpaces: () => diskSpaces(config.dataDir) });
}

interface Fact {
  readonly incident: Incident & { readonly kind: MachineKind };
  readonly verdict: Verdict;
  readonly wrong: texts.AlertText;
  readonly well: texts.AlertText;
}

interface Seen {
  readonly lag: number;
  readonly dead: readonly DeadOfCompany[];
  readonly open: readonly OpenIncident[];
  readonly operator: string | null;
}

export class Watch {
  readonly #deps: WatchDeps;
  readonly #wrong = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A look that takes longer, because the database is slow, is the next one too.
      this.#looking ??= this.#tryToLook().finally(() => {
        this.#looking = null;
      });
    }, INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#looking;
  }

  /** Looks once. */
  async look(): Promise<void> {
    const { database, operatorTenantId, now } = this.#deps;
    const before = new Date(now().getTime() - GONE_MS);
    const seen = await database.withSystem(async (trx) => {
      await forgetUnseen(trx, MACHINE, before);
      const [lag, dead, open] = [await lagSeconds(trx), await deadByCompany(trx), await openIncidents(trx)];
      return { lag, dead, open, operator: await operatorOf(trx, operatorTenantId) };
    });
    for (const fact of await this.#facts(seen.lag)) {
      this.#log(fact);
      await this.#tellOperator(fact, seen);
    }
    await this.#tellCompanies(seen);
  }

  async #tryToLook(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#deps.logger.warn({ error: String(error) }, 'The watch could not look; it looks again in 15 seconds');
    }
  }

  async #facts(lag: number): Promise<Fact[]> {
    const { diskSpaces, diskLowBytes } = this.#deps;
    const ofDisk = (space: texts.DiskSpace): Fact => ({
      incident: { kind: 'disk_low', subject: `${space.host}:${space.path}` },
      verdict: judgeDisk(space, diskLowBytes),
      wrong: texts.diskIsLow(space),
      well: texts.diskIsWell(space),
    });
    const ofOutbox: Fact = {
      incident: { kind: 'outbox_lag', subject: '' },
      verdict: judgeLag(lag),
      wrong: texts.outboxLags(lag),
      well: texts.outboxIsWell(),
    };
    return [...(await diskSpaces()).map(ofDisk), ofOutbox];
  }

  /** Each process says once what it sees, also where no company may be told. */
  #log({ incident, verdict, wrong, well }: Fact): void {
    const { kind, subject } = incident;
    const key = `${kind} ${subject}`;
    const known = this.#wrong.has(key);
    if (verdict === 'wrong' && !known) {
      this.#wrong.add(key);
      this.#deps.logger.warn({ incident: kind }, `${wrong.title}. ${wrong.body}`);
    } else if (verdict === 'well' && known) {
      this.#wrong.delete(key);
      this.#deps.logger.warn({ incident: kind }, `${well.title}. ${well.body}`);
    }
  }

  async #tellOperator({ incident, verdict, wrong, well }: Fact, { open, operator }: Seen): Promise<void> {
    if (operator === null) return;
    const { kind, subject } = incident;
    const known = open.some((one) => one.tenantId === operator && one.kind === kind && one.subject === subject);
    if (verdict === 'wrong' || (verdict === 'between' && known)) {
      await this.#inCompany(operator, (trx, ctx) => begin(trx, ctx, incident, wrong));
    } else if (known) {
      await this.#inCompany(operator, (trx, ctx) => end(trx, ctx, incident, well));
    }
  }

  /** What concerns one company is told there. */
  async #tellCompanies({ dead, open }: Seen): Promise<void> {
    const incident: Incident = { kind: 'event_set_aside', subject: '' };
    const known = new Map(open.filter(({ kind }) => kind === incident.kind).map((one) => [one.tenantId, one.seenAt]));
    for (const { tenantId, events, newestAt, newest } of dead) {
      const toldAt = known.get(tenantId);
      known.delete(tenantId);
      if (toldAt !== undefined && Date.parse(newestAt) <= Date.parse(toldAt)) continue;
      const notice = texts.eventsSetAside(events, newest);
      await this.#inCompany(tenantId, (trx, ctx) => tellAgain(trx, ctx, incident, QUIET_SECONDS, notice));
    }
    for (const tenantId of known.keys()) {
      await this.#inCompany(tenantId, (trx, ctx) => end(trx, ctx, incident, texts.eventsRepeated()));
    }
  }

  async #inCompany(tenantId: string, work: (trx: Db, ctx: Context) => Promise<void>): Promise<void> {
    const ctx: Context = { tenantId, userId: null, actor: 'watch', requestId: newId(), now: this.#deps.now() };
    await this.#deps.database.withTenant(ctx, (trx) => work(trx, ctx));
  }
}

/** The company of those who run the service; null where that is unclear. */
async function operatorOf(trx: Db, given: string | undefined): Promise<string | null> {
  const sql = 'select id from tenants where :given::uuid is null or id = :given::uuid limit 2';
  const found = await query<{ id: string }>(trx, sql, { given: given ?? null });
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}
