/** Selects the triggered rules to run: those whose conditions hold for the event's record as the event left it. */
import type { Db, Reader } from '../../../db/database.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { prepared } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { triggerName } from '../../../domain/integrations/automations/triggers.ts';
import type { Calendar } from '../../../domain/platform/conditions/days.ts';
import { hold, isUnconditional } from '../../../domain/platform/conditions/groups.ts';
import { PLUGIN_HOOK, TASK_ENDED } from '../../../domain/platform/internal-events.ts';
import { shortened } from '../../../domain/shorten.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { pauses } from '../../platform/threads/pauses.ts';
import type { Cause, Match } from './begin-runs.ts';
import { loadCalendar } from './calendar.ts';
import type { Triggering } from './interest.ts';
import { MAX_LINES } from './schemas.ts';
import { loadSubject, neededToSee, type Subject, subjectsByLine } from './subject.ts';

/** The members of a rule that decide whether it runs. */
type Conditioned = Pick<Automation, 'id' | 'conditions' | 'forEach' | 'runsAs' | 'actor'>;

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
    `select id, conditions, for_each as "forEach", runs_as as "runsAs", actor from automations
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
  const seen = rules.some(needsToSee) ? await loadSeen(db, cause, at) : null;
  const matches: Matched<Rule>[] = [];
  const needed = seen === null ? [] : neededToSee(seen.subject);
  const pause = pauses();
  for (const automation of rules) {
    const may = !needsToSee(automation) || seen === null ? null : await rights(automation);
    const isBlind = may !== null && needed.some((permission) => !may.has(permission));
    matches.push(...(isBlind ? [{ automation, cause }] : matchRule(cause, automation, seen)));
    await pause();
  }
  return matches;
}

/** Whether the data of the event decides if, and how often, a rule runs. */
function needsToSee({ conditions, forEach }: Conditioned): boolean {
  return !isUnconditional(conditions) || forEach !== null;
}

function matchRule<Rule extends Conditioned>(cause: Cause, automation: Rule, seen: Seen | null): Matched<Rule>[] {
  if (!needsToSee(automation)) return [{ automation, cause }];
  // The record is gone.
  if (seen === null) return [];
  const { conditions, forEach } = automation;
  const { subject, calendar } = seen;
  try {
    if (forEach === null) return hold(conditions, subject, calendar) ? [{ automation, cause }] : [];
    const lines = subjectsByLine(subject).filter((one) => hold(conditions, one, calendar));
    const runs = lines.slice(0, MAX_LINES).map(({ line: { id } }) => ({
      automation,
      cause: { ...cause, key: `${cause.key}/${id}`, lineId: id },
    }));
    if (lines.length <= MAX_LINES) return runs;
    const rest = { ...cause, key: `${cause.key}/rest` };
    return [...runs, { automation, cause: rest, fault: `It would run for ${lines.length} lines: ${TOO_MANY_LINES}` }];
  } catch (error) {
    return [{ automation, cause, fault: shortened(`Its conditions cannot be looked at: ${String(error)}`, 1000) }];
  }
}

const TOO_MANY_LINES = `those after the first ${MAX_LINES} were left out`;

function eventCause({ eventId, event, createdAt, payload, depth }: Triggering): Cause {
  const { linked_document: paid } = payload;
  const idIn = (member: string) => (payload[member] as string | undefined) ?? null;
  const told = [...TOLD_BY_ALL, ...(TOLD[event] ?? [])].filter((member) => payload[member] !== undefined);
  return {
    key: eventId,
    eventId,
    documentId: idIn('document_id') ?? (paid as { id?: string } | null | undefined)?.id ?? null,
    paymentId: idIn('payment_id'),
    // Those of documents and payments are part of their data.
    partnerId: event.startsWith('partner.') ? idIn('partner_id') : null,
    itemId: idIn('item_id'),
    priceId: idIn('price_id'),
    event: {
      name: triggerName(event),
      timestamp: createdAt,
      ...Object.fromEntries(told.map((member) => [member, payload[member]])),
    },
    depth,
  };
}

/** Members of events that templates see as members of `event`. */
const TOLD_BY_ALL = ['changed_fields', 'previous_status'];
const TOLD: Readonly<Record<string, readonly string[]>> = {
  [PLUGIN_HOOK]: ['plugin_id', 'hook', 'payload'],
  'stock.low': ['warehouse_id', 'stock', 'min_stock'],
  [TASK_ENDED]: ['task_id', 'task_kind', 'outcome', 'created_by'],
};

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
