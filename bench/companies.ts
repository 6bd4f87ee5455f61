/**
 * Ten thousand companies that do nothing, a tenth of them with a rule by the clock: the service must cost hardly more than with one, and so
 * must its regular work, all of which is started once. COMPANIES sets another number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pMap from 'p-map';
import type { Context } from '../db/context.ts';
import { Database } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { query } from '../db/sql.ts';
import { broken, verifyDatabase } from '../db/verify.ts';
import { addFirstOwner, createCompany } from '../services/access/companies/companies.ts';
import { createAutomation } from '../services/integrations/automations/manage.ts';
import { LOCAL_TARGETS } from '../test/helpers/targets.ts';
import {
  DAILY_SUMMARIES_ID,
  LIFECYCLE_COMPARISON_ID,
  PRUNING_ID,
  SCHEDULES_ID,
  STORAGE_ID,
} from '../workflows/operation/contract.ts';
import { usageByPart } from './processes.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';

const COMPANIES = Number(process.env.COMPANIES ?? 10_000);
/** Every so many companies one has a rule by the clock. */
const WITH_RULE = 10;
const REST_MS = 60_000;
/** Processor time a second that all of them together may take while nothing happens, above that of one. */
const LIMIT_CORES = 0.05;
/** Regular work, with the runs of an hour. */
const REGULAR: Readonly<Record<string, { readonly id: string; readonly runs: number }>> = {
  comparison: { id: LIFECYCLE_COMPARISON_ID, runs: 1 },
  pruning: { id: PRUNING_ID, runs: 1 },
  storage: { id: STORAGE_ID, runs: 1 },
  summaries: { id: DAILY_SUMMARIES_ID, runs: 4 },
  schedules: { id: SCHEDULES_ID, runs: 60 },
};
/** Time in which the service begins with what is started by hand. */
const BEGIN_MS = 2000;

export async function manyCompanies(service: Service): Promise<Check> {
  const database = new Database({ url: service.databaseUrl, poolSize: 4, applicationName: 'bench' });
  try {
    const alone = await atRest(service);
    const begun = performance.now();
    const owner = await ownerId(database);
    await pMap(Array.from({ length: COMPANIES }), (_, nth) => found(database, owner, nth), { concurrency: 4 });
    const made = (performance.now() - begun) / 1000;
    await service.fill('analyze');
    const quietAfter = await service.quiet();
    const together = await atRest(service);
    const regular = await regularWork(service);
    const hourly = regular.reduce((sum, { runs, ms }) => sum + runs * ms, 0) / 3_600_000;
    const verifying = performance.now();
    const violations = broken(await verifyDatabase(service.ownerUrl));
    const verified = (performance.now() - verifying) / 1000;
    const more = total(together) - total(alone);
    return {
      name: `${COMPANIES} companies that do nothing, ${Math.ceil(COMPANIES / WITH_RULE)} with a rule by the clock`,
      measured:
        `${total(together).toFixed(3)} cores at rest, ${total(alone).toFixed(3)} with one (${inWords(together)}); ` +
        `regular work of all ${hourly.toFixed(3)} cores (${regular.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join(', ')}); ` +
        `made in ${made.toFixed(0)} s, quiet ${quietAfter.toFixed(0)} s later; ` +
        `verify ${verified.toFixed(0)} s, ${violations.length} broken`,
      limit: `${LIMIT_CORES} cores more, ${LIMIT_CORES} for regular work`,
      passed: more <= LIMIT_CORES && hourly <= LIMIT_CORES && violations.length === 0,
      figures: {
        cores: total(together),
        hourlyCores: hourly,
        alone: total(alone),
        madeSeconds: made,
        verifySeconds: verified,
      },
    };
  } finally {
    await database.close();
  }
}

/** Makes a company as an owner does. */
async function found(database: Database, userId: string, nth: number): Promise<void> {
  const ctx: Context = { tenantId: newId(), userId, actor: null, requestId: newId(), now: new Date() };
  await database.withSystem(async (trx) => {
    await createCompany(trx, ctx, { name: `Empresa ${nth}`, taxId: 'B12345674', country: 'ES' });
    await addFirstOwner(trx, ctx, { id: userId });
  });
  if (nth % WITH_RULE !== 0) return;
  const trigger = { type: 'schedule.cron' as const, expression: `${nth % 60} 3 1 1 *` };
  const actions = [{ type: 'notification.create' as const, role: 'owner' as const, title: 'Year', body: 'Year' }];
  const policy = { targets: LOCAL_TARGETS, encryptionKeys: [] };
  await database.withTenant(ctx, (trx) => createAutomation(trx, ctx, policy, { name: 'Yearly', trigger, actions }));
}

async function ownerId(database: Database): Promise<string> {
  const rows = await database.withSystem((trx) =>
    query<{ id: string }>(trx, 'select id from users order by id limit 1', {}),
  );
  return rows[0]?.id ?? '';
}

/** Cores that each part uses while nothing happens. */
async function atRest({ root }: Service): Promise<ReadonlyMap<string, number>> {
  const before = usageByPart(root);
  await sleep(REST_MS);
  return new Map(
    [...usageByPart(root)].map(([part, { cpu }]) => [part, (cpu - (before.get(part)?.cpu ?? 0)) / (REST_MS / 1000)]),
  );
}

/** Starts each piece of regular work. @returns milliseconds of processor time that it takes, all parts together */
async function regularWork({ temporalAddress, cost }: Service) {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { schedule } = new Client({ connection });
    const costs: { name: string; runs: number; ms: number }[] = [];
    for (const [name, { id, runs }] of Object.entries(REGULAR)) {
      const parts = await cost(async () => {
        await schedule.getHandle(id).trigger();
        await sleep(BEGIN_MS);
      });
      costs.push({ name, runs, ms: Math.max(0, total(parts)) });
    }
    return costs;
  } finally {
    await connection.close();
  }
}

function total(cores: ReadonlyMap<string, number>): number {
  return [...cores.values()].reduce((sum, one) => sum + one, 0);
}

function inWords(cores: ReadonlyMap<string, number>): string {
  return [...cores].map(([part, one]) => `${part} ${one.toFixed(3)}`).join(', ');
}
