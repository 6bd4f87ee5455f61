/** Checks the events that the service published during a test against the catalogue of events. */
import assert from 'node:assert/strict';
import type { Database } from '../../db/database.ts';
import {
  EVENT_CATALOGUE,
  EVENT_NAMES,
  type EventName,
  isEventName,
} from '../../domain/integrations/webhooks/events.ts';
import { isNews } from '../../domain/platform/internal-events.ts';
import { valueValidator } from '../../services/platform/validation/validate.ts';

/** Maximum events checked: of a very long outbox, the end is enough. */
const MOST = 2000;

const faultChecks = new Map<EventName, ReturnType<typeof valueValidator>>();

/** @returns the names of the events found */
export async function assertEventsFit(database: Database): Promise<Set<EventName>> {
  const rows = await database.withSystem(
    async (trx) =>
      (await trx('outbox').select('event', 'payload').orderBy('seq', 'desc').limit(MOST)) as {
        event: string;
        payload: unknown;
      }[],
  );
  const found = new Set<EventName>();
  for (const { event, payload } of rows) {
    if (!isNews(event)) continue;
    assert.ok(isEventName(event), `${event} is in the outbox, but not in the catalogue: ${EVENT_NAMES.join(', ')}`);
    found.add(event);
    const check = faultChecks.get(event) ?? valueValidator(EVENT_CATALOGUE[event].schema);
    faultChecks.set(event, check);
    assert.deepEqual(check(payload), [], `${event} does not fit its schema: ${JSON.stringify(payload)}`);
  }
  return found;
}
