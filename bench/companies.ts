/**
 * Ten thousand companies that do nothing, a tenth of them with a rule by the clock: the service must cost hardly more than with one.
 * COMPANIES sets another number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { Context } from '../db/context.ts';
import { Database } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { query } from '../db/sql.ts';
import { broken, verifyDatabase } from '../db/verify.ts';
import { addFirstOwner, createCompany } from '../services/access/companies/companies.ts';
import { createAutomation } from '../services/integrations/automations/manage.ts';
import { LOCAL_TARGETS } from '../test/helpers/targets.ts';
import { usageByPart } from './processes.ts';
import type { Check } from './report.ts';
import type { Service } from './service.ts';

const COMPANIES = Number(process.env.COMPANIES ?? 10_000);
/** Every so many companies one has a rule by the clock. */
const WITH_RULE = 10;
const REST_MS = 60_000;
/** Processor time a second that all of them together may take while nothing happens, above that of one. */
const LIMIT_CORES = 0.05;

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
    const verifying = performance.now();
    const violations = broken(await verifyDatabase(service.ownerUrl));
    const verified = (performance.now() - verifying) / 1000;
    const more = total(together) - total(alone);
    return {
      name: `${COMPANIES} companies that do nothing, ${Math.ceil(COMPANIES / WITH_RULE)} with a rule by the clock`,
      measured:
        `${total(together).toFixed(3)} cores at rest, ${total(alone).toFixed(3)} with one (${inWords(together)}); ` +
        `made in ${made.toFixed(0)} s, quiet ${quietAfter.toFixed(0)} s later; ` +
        `verify ${verified.toFixed(0)} s, ${violations.length} broken`,
      limit: `${LIMIT_CORES} cores more`,
      passed: more <= LIMIT_CORES && violations.length === 0,
      figures: { cores: total(together), alone: total(alone), madeSeconds: made, verifySeconds: verified },
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

function total(cores: ReadonlyMap<string, number>): number {
  return [...cores.values()].reduce((sum, one) => sum + one, 0);
}

function inWords(cores: ReadonlyMap<string, number>): string {
  return [...cores].map(([part, one]) => `${part} ${one.toFixed(3)}`).join(', ');
}
