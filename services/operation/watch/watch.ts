/** Regularly checks for incidents and alerts people (decision 0188). Several processes may watch; each incident is reported once. */
import type { Config } from '../../../config/index.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';
import { judgeDisk, judgeLag, type MachineKind, type Verdict } from '../../../domain/messages/incidents.ts';
import * as texts from '../../../domain/messages/notifications/alerts.ts';
import { findEndingCertificates, warnOfCertificate } from '../../ledger/verifactu/certificate/expiry.ts';
import {
  closeIncident,
  deleteStaleIncidents,
  type Incident,
  listOpenIncidents,
  type OpenIncident,
  openIncident,
  repeatAlert,
} from '../../messages/incidents/incidents.ts';
import { type CompanyDeadEvents, deadByCompany } from '../../platform/outbox/dead.ts';
import { lagSeconds } from '../../platform/outbox/lag.ts';
import { measureDisks } from './disk.ts';

const INTERVAL_MS = 15_000;
/** A machine that no process has checked for this long counts as gone. */
const GONE_MS = 3_600_000;
/** Interval between looks at certificates. */
const CERTIFICATES_MS = 3_600_000;
/** Minimum interval between alerts to a company about events set aside. */
const ALERT_INTERVAL_SECONDS = 3600;
const MACHINE_KINDS: readonly MachineKind[] = ['disk_low', 'outbox_lag'];

export interface WatchDeps {
  readonly database: Database;
  readonly diskSpaces: () => Promise<texts.DiskSpace[]>;
  /** Minimum free space, except on small disks. */
  readonly diskLowBytes: number;
  /** The company whose owners and administrators run the service; defaults to the only one. */
  readonly operatorTenantId: string | undefined;
  readonly logger: { readonly warn: (about: object, message: string) => void };
  readonly now: () => Date;
}

/** Creates the watch of this machine, as configured. */
export function createWatch({
  config,
  ...deps
}: Pick<WatchDeps, 'database' | 'logger' | 'now'> & { readonly config: Pick<Config, 'alerts' | 'dataDir'> }): Watch {
  return new Watch({ ...deps, ...config.alerts, diskSpaces: () => measureDisks(config.dataDir) });
}

interface Finding {
  readonly incident: Incident & { readonly kind: MachineKind };
  readonly verdict: Verdict;
  readonly wrong: texts.AlertText;
  readonly well: texts.AlertText;
}

interface Observation {
  readonly lag: number;
  readonly dead: readonly CompanyDeadEvents[];
  readonly open: readonly OpenIncident[];
  readonly operator: string | null;
}

export class Watch {
  readonly #deps: WatchDeps;
  readonly #wrong = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #certificatesAt = Number.NEGATIVE_INFINITY;

  constructor(deps: WatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => {
      // A check that outlasts the interval, because the database is slow, replaces the next one.
      this.#looking ??= this.#tryToLook().finally(() => {
        this.#looking = null;
      });
    }, INTERVAL_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#looking;
  }

  /** Checks once. */
  async check(): Promise<void> {
    const { database, operatorTenantId, now } = this.#deps;
    const before = new Date(now().getTime() - GONE_MS);
    const seen = await database.withSystem(async (trx) => {
      await deleteStaleIncidents(trx, MACHINE_KINDS, before);
      const [lag, dead, open] = [await lagSeconds(trx), await deadByCompany(trx), await listOpenIncidents(trx)];
      return { lag, dead, open, operator: await findOperator(trx, operatorTenantId) };
    });
    for (const fact of await this.#facts(seen.lag)) {
      this.#log(fact);
      await this.#tellOperator(fact, seen);
    }
    await this.#tellCompanies(seen);
    await this.#tellOfCertificates();
  }

  /** Once an hour: certificates end on a day. */
  async #tellOfCertificates(): Promise<void> {
    const { database, now } = this.#deps;
    const at = now().getTime();
    if (at - this.#certificatesAt < CERTIFICATES_MS) return;
    for (const { tenantId, certificateId } of await findEndingCertificates(database, now()))
      await this.#inCompany(tenantId, (trx, ctx) => warnOfCertificate(trx, ctx, certificateId));
    this.#certificatesAt = at;
  }

  async #tryToLook(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      this.#deps.logger.warn(
        { error: String(error) },
        'The watch could not check for incidents; it tries again in 15 seconds',
      );
    }
  }

  async #facts(lag: number): Promise<Finding[]> {
    const { diskSpaces, diskLowBytes } = this.#deps;
    const ofDisk = (space: texts.DiskSpace): Finding => ({
      incident: { kind: 'disk_low', subject: `${space.host}:${space.path}` },
      verdict: judgeDisk(space, diskLowBytes),
      wrong: texts.diskIsLow(space),
      well: texts.diskIsWell(space),
    });
    const ofOutbox: Finding = {
      incident: { kind: 'outbox_lag', subject: '' },
      verdict: judgeLag(lag),
      wrong: texts.outboxLags(lag),
      well: texts.outboxIsWell(),
    };
    return [...(await diskSpaces()).map(ofDisk), ofOutbox];
  }

  /** Logs each change once per process, even if there is no company to alert. */
  #log({ incident, verdict, wrong, well }: Finding): void {
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

  async #tellOperator({ incident, verdict, wrong, well }: Finding, { open, operator }: Observation): Promise<void> {
    if (operator === null) return;
    const { kind, subject } = incident;
    const known = open.some((one) => one.tenantId === operator && one.kind === kind && one.subject === subject);
    if (verdict === 'wrong' || (verdict === 'between' && known)) {
      await this.#inCompany(operator, (trx, ctx) => openIncident(trx, ctx, incident, wrong));
    } else if (known) {
      await this.#inCompany(operator, (trx, ctx) => closeIncident(trx, ctx, incident, well));
    }
  }

  /** Alerts companies to problems of their own. */
  async #tellCompanies({ dead, open }: Observation): Promise<void> {
    const incident: Incident = { kind: 'event_set_aside', subject: '' };
    const known = new Map(open.filter(({ kind }) => kind === incident.kind).map((one) => [one.tenantId, one.seenAt]));
    for (const { tenantId, events, newestAt, newest } of dead) {
      const toldAt = known.get(tenantId);
      known.delete(tenantId);
      if (toldAt !== undefined && Date.parse(newestAt) <= Date.parse(toldAt)) continue;
      const notice = texts.eventsSetAside(events, newest);
      await this.#inCompany(tenantId, (trx, ctx) => repeatAlert(trx, ctx, incident, ALERT_INTERVAL_SECONDS, notice));
    }
    for (const tenantId of known.keys()) {
      await this.#inCompany(tenantId, (trx, ctx) => closeIncident(trx, ctx, incident, texts.eventsRepeated()));
    }
  }

  async #inCompany(tenantId: string, work: (trx: Db, ctx: Context) => Promise<void>): Promise<void> {
    const ctx: Context = { tenantId, userId: null, actor: 'watch', requestId: newId(), now: this.#deps.now() };
    await this.#deps.database.withTenant(ctx, (trx) => work(trx, ctx));
  }
}

/** Finds the company of the operators; null if that is ambiguous. */
async function findOperator(trx: Db, given: string | undefined): Promise<string | null> {
  const sql = 'select id from tenants where :given::uuid is null or id = :given::uuid limit 2';
  const found = await query<{ id: string }>(trx, sql, { given: given ?? null });
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}
