/** Selects the triggered rules to run: those whose conditions hold for the event's record as the event left it. */
import type { Db, Reader } from '../../../db/database.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { prepared } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Calendar } from '../../../domain/platform/conditions/days.ts';
import { hold, isUnconditional } from '../../../domain/platform/conditions/groups.ts';
import { PLUGIN_HOOK } from '../../../domain/platform/internal-events.ts';
import { shortened } from '../../../domain/shorten.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { pauses } from '../../platform/threads/pauses.ts';
import type { Cause, Match } from './begin-runs.ts';
import { loadCalendar } from './calendar.ts';
import type { Triggering } from './interest.ts';
import { loadSubject, neededToSee, type Subject } from './subject.ts';

/** The members of a rule that decide whether it runs. */
type Conditioned = Pick<Automation, 'id' | 'conditions' | 'runsAs' | 'actor'>;

/** Finds the current permissions of those for whom rules act. */
type Rights = (rule: Conditioned) => Promise<ReadonlySet<string>>;

/**
 * Finds the rules to run, by event in order. A rule whose conditions cannot be evaluated fails alone. Only the conditions are loaded at
 * first, since most events lead to few of the rules that they trigger.
 */
export async function findMatches(db: Db, events: readonly Triggering[], now: Date): Promise<Match[]> {
  const rights = rightsAt(db, now);
  const rules = await loadConditions(
    db,
    events.flatMap((event) => event.rules.map(({ automationId }) => automationId)),
  );
  const matches: Matched<Conditioned>[] = [];
  for (const event of events) {
    const triggered = event.rules.flatMap(({ automationId }) => rules.get(automationId) ?? []);
    if (triggered.length > 0)
      matches.push(...(await matchRules(db, eventCause(event), triggered, rights, new Date(event.createdAt))));
  }
  const ids = [...new Set(matches.map(({ automation }) => automation.id))];
  if (ids.length === 0) return [];
  const found = (await Automation.query(db).whereIn('id', ids).where({ status: 'active' })) as Automation[];
  const whole = new Map(found.map((automation) => [automation.id, automation]));
  return matches.flatMap((match) => {
    const automation = whole.get(match.automation.id);
    return automation === undefined ? [] : [{ ...match, automation }];
  });
}

async function loadConditions(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Conditioned>> {
  const rules = await prepared<Conditioned>(
    db,
    `select id, conditions, runs_as as "runsAs", actor from automations
     where id = any(:ids::uuid[]) and status = 'active'`,
    { ids: [...new Set(ids)] },
  );
  return new Map(rules.map((rule) => [rule.id, rule]));
}

type Matched<Rule> = Omit<Match, 'automation'> & { readonly automation: Rule };

/** Looks up the rights of each once. */
export function rightsAt(db: Reader, now: Date): Rights {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async ({ runsAs: userId, actor }) => {
    const key = userId ?? actor ?? '';
    const found = known.get(key) ?? loadPermissions(db, { userId, actor }, now);
    known.set(key, found);
    return await found;
  };
}

/**
 * Selects the rules whose conditions hold for the cause. Conditions of somebody who may not read its records are not evaluated: the run
 * finds that it may not, and pauses the rule.
 * @param at the time on which relative days are based
 */
export async function matchRules<Rule extends Conditioned>(
  db: Reader,
  cause: Cause,
  rules: readonly Rule[],
  rights: Rights,
  at: Date,
): Promise<Matched<Rule>[]> {
  const isConditioned = rules.some(({ conditions }) => !isUnconditional(conditions));
  const seen = isConditioned ? await loadSeen(db, cause, at) : null;
  const matches: Matched<Rule>[] = [];
  const needed = seen === null ? [] : neededToSee(seen.subject);
  const pause = pauses();
  for (const automation of rules) {
    const may = isUnconditional(automation.conditions) || seen === null ? null : await rights(automation);
    const isBlind = may !== null && needed.some((permission) => !may.has(permission));
    const match = isBlind ? { automation, cause } : matchRule(cause, automation, seen);
    if (match !== null) matches.push(match);
    await pause();
  }
  return matches;
}

function matchRule<Rule extends Conditioned>(cause: Cause, automation: Rule, seen: Seen | null): Matched<Rule> | null {
  const { conditions } = automation;
  if (isUnconditional(conditions)) return { automation, cause };
  // The record is gone.
  if (seen === null) return null;
  try {
    return hold(conditions, seen.subject, seen.calendar) ? { automation, cause } : null;
  } catch (error) {
    return { automation, cause, fault: shortened(`Its conditions cannot be looked at: ${String(error)}`, 1000) };
  }
}

function eventCause({ eventId, event, createdAt, payload, depth }: Triggering): Cause {
  const {
    changed_fields: fields,
    previous_status: before,
    document_id: documentId,
    payment_id: paymentId,
    linked_document: paid,
    item_id: itemId,
    plugin_id: pluginId,
    hook,
    payload: told,
    warehouse_id: warehouseId,
    stock,
    min_stock: minStock,
  } = payload;
  return {
    key: eventId,
    eventId,
    documentId: ((documentId ?? (paid as { id?: string } | null | undefined)?.id) as string | undefined) ?? null,
    paymentId: (paymentId as string | undefined) ?? null,
    itemId: (itemId as string | undefined) ?? null,
    event: {
      name: event,
      timestamp: createdAt,
      ...(fields === undefined ? {} : { changed_fields: fields }),
      ...(before === undefined ? {} : { previous_status: before }),
      ...(event === PLUGIN_HOOK ? { plugin_id: pluginId, hook, payload: told } : {}),
      ...(event === 'stock.low' ? { warehouse_id: warehouseId, stock, min_stock: minStock } : {}),
    },
    depth,
  };
}

/** The data that conditions see. */
interface Seen {
  readonly subject: Subject;
  readonly calendar: Calendar;
}

async function loadSeen(db: Reader, cause: Cause, at: Date): Promise<Seen | null> {
  try {
    const [subject, calendar] = await Promise.all([
      loadSubject(db, cause, { asOf: cause.eventId }),
      loadCalendar(db, at),
    ]);
    return { subject, calendar };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}
