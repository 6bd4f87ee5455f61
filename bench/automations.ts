/** Matches one event against 200 rules, of which two match: the relay's work until it starts their workflows. */
import { Database } from '../db/database.ts';
import { findTriggeredRules } from '../services/integrations/automations/interest.ts';
import { findMatches } from '../services/integrations/automations/match.ts';
import { type Check, percentile } from './report.ts';
import type { Stage } from './stage.ts';
import { openTrade } from './trade.ts';

const RULES = 200;
const MATCHING = 2;
const ROUNDS = 200;
const LIMIT_MS = 5;

export async function automations(stage: Stage): Promise<Check> {
  const { client, databaseUrl, tenantId } = stage;
  for (let nth = 0; nth < RULES; nth++) {
    const made = await client.post('/api/automations', {
      name: `Rule ${nth}`,
      trigger: { type: 'document.created', document_type: 'sales_order' },
      conditions: [
        { field: 'document.total', operator: 'greater_than', value: nth < MATCHING ? 10 : 100_000 },
        { field: 'document.partner.name', operator: 'not_equals', value: 'Nobody' },
      ],
      actions: [{ type: 'notification.create', role: 'owner', title: 'Big {{document.code}}', body: 'Big' }],
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  }
  const { customerId: partnerId } = await openTrade(stage, { items: 1, goods: false, series: 1 });
  const lines = [{ description: 'Transporte', quantity: 1, price: 100 }];
  const order = await client.post('/api/sales', { partnerId, lines });
  if (order.status !== 201) throw new Error(JSON.stringify(order.body));
  const database = new Database({ url: databaseUrl, poolSize: 2, applicationName: 'bench' });
  try {
    const [event] = await database.readTenant({ tenantId }, (db) =>
      db('outbox').where({ entity_id: order.body.data.id, event: 'document.created' }).select('id', 'event'),
    );
    const happened = [{ id: String(event.id), event: String(event.event), tenantId }];
    const found: number[] = [];
    const all: number[] = [];
    for (let round = -20; round < ROUNDS; round++) {
      const begun = performance.now();
      const triggering = await database.withSystem((trx) => findTriggeredRules(trx, happened));
      const between = performance.now();
      const matches = await database.readTenant({ tenantId }, (db) => findMatches(db, triggering, new Date()));
      const ended = performance.now();
      if (matches.length !== MATCHING) throw new Error(`${matches.length} rules match`);
      if (round >= 0) found.push(between - begun);
      if (round >= 0) all.push(ended - begun);
    }
    const [matchedMs, allMs] = [median(found), median(all)];
    return {
      name: `an event against ${RULES} automations, of which ${MATCHING} match`,
      measured: `${matchedMs.toFixed(1)} ms until its rules are found, ${allMs.toFixed(1)} ms with their conditions; ${MATCHING} runs`,
      limit: `${LIMIT_MS} ms until its rules are found`,
      passed: matchedMs <= LIMIT_MS,
      figures: { matchedMs, allMs },
    };
  } finally {
    await database.close();
  }
}

function median(values: number[]): number {
  return percentile(
    values.sort((one, other) => one - other),
    0.5,
  );
}
