/** Which of the triggered rules are to run: those whose conditions hold for what the event is about, as it is now. */
import type { Db, Reader } from '../../db/database.ts';
import { Automation } from '../../db/models/automations.ts';
import { prepared } from '../../db/sql.ts';
import { allHold } from '../../domain/conditions/conditions.ts';
import { ServiceError } from '../../domain/errors.ts';
import { PLUGIN_HOOK } from '../../domain/internal-events.ts';
import { shortened } from '../../domain/shorten.ts';
import type { Triggering } from './interest.ts';
import type { Cause, Match } from './runs.ts';
import { loadSubject, type Subject } from './subject.ts';

/** What decides whether a rule runs. */
type Conditioned = Pick<Automation, 'id' | 'conditions'>;

/**
 * The rules to run, by event in order. A rule whose conditions cannot be looked at fails alone. Of the others only the conditions are read:
 * most events are for few of the rules that hear of them.
 */
export async function matchesOf(db: Db, events: readonly Triggering[]): Promise<Match[]> {
  const rules = await conditionsOf(
    db,
    events.flatMap((event) => event.rules.map(({ automationId }) => automationId)),
  );
  const matches: Matched<Conditioned>[] = [];
  for (const event of events) {
    const triggered = event.rules.flatMap(({ automationId }) => rules.get(automationId) ?? []);
    if (triggered.length > 0) matches.push(...(await matching(db, causeOf(event), triggered)));
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

async function conditionsOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Conditioned>> {
  const rules = await prepared<Conditioned>(
    db,
    `select id, conditions from automations where id = any(:ids::uuid[]) and status = 'active'`,
    { ids: [...new Set(ids)] },
  );
  return new Map(rules.map((rule) => [rule.id, rule]));
}

type Matched<Rule> = Omit<Match, 'automation'> & { readonly automation: Rule };

/** The rules whose conditions hold for what the cause is about. */
export async function matching<Rule extends Conditioned>(
  db: Reader,
  cause: Cause,
  rules: readonly Rule[],
): Promise<Matched<Rule>[]> {
  const subject = rules.some(({ conditions }) => conditions.length > 0) ? await subjectOf(db, cause) : null;
  return rules.flatMap((automation): Matched<Rule>[] => {
    const { conditions } = automation;
    if (conditions.length === 0) return [{ automation, cause }];
    // What it was about is gone.
    if (subject === null) return [];
    try {
      return allHold(conditions, subject) ? [{ automation, cause }] : [];
    } catch (error) {
      return [{ automation, cause, fault: shortened(`Its conditions cannot be looked at: ${String(error)}`, 1000) }];
    }
  });
}

function causeOf({ eventId, event, createdAt, payload, depth }: Triggering): Cause {
  const {
    changed_fields: fields,
    previous_status: before,
    document_id: documentId,
    payment_id: paymentId,
    linked_document: paid,
    plugin_id: pluginId,
    hook,
    payload: told,
  } = payload;
  return {
    key: eventId,
    eventId,
    documentId: ((documentId ?? (paid as { id?: string } | null | undefined)?.id) as string | undefined) ?? null,
    paymentId: (paymentId as string | undefined) ?? null,
    event: {
      name: event,
      timestamp: createdAt,
      ...(fields === undefined ? {} : { changed_fields: fields }),
      ...(before === undefined ? {} : { previous_status: before }),
      ...(event === PLUGIN_HOOK ? { plugin_id: pluginId, hook, payload: told } : {}),
    },
    depth,
  };
}

async function subjectOf(db: Reader, cause: Cause): Promise<Subject | null> {
  try {
    return await loadSubject(db, cause);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return null;
    throw error;
  }
}
