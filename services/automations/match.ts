/** Which of the triggered rules are to run: those whose conditions hold for what the event is about, as it is now. */
import type { Db, Reader } from '../../db/database.ts';
import { Automation } from '../../db/models/automations.ts';
import { allHold } from '../../domain/conditions/conditions.ts';
import { ServiceError } from '../../domain/errors.ts';
import { PLUGIN_HOOK } from '../../domain/internal-events.ts';
import { shortened } from '../../domain/shorten.ts';
import type { Triggering } from './interest.ts';
import { ruleOf } from './manage.ts';
import type { Cause, Match } from './runs.ts';
import { loadSubject, type Subject } from './subject.ts';

/** The rules to run, by event in order. A rule whose conditions cannot be looked at fails alone. */
export async function matchesOf(db: Db, events: readonly Triggering[]): Promise<Match[]> {
  const ids = [...new Set(events.flatMap(({ rules }) => rules.map(({ automationId }) => automationId)))];
  const rules = (await Automation.query(db).whereIn('id', ids).where({ status: 'active' })) as Automation[];
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const matches: Match[] = [];
  for (const event of events) {
    const triggered = event.rules.flatMap(({ automationId }) => byId.get(automationId) ?? []);
    if (triggered.length > 0) matches.push(...(await matching(db, causeOf(event), triggered)));
  }
  return matches;
}

/** The rules whose conditions hold for what the cause is about. */
export async function matching(db: Reader, cause: Cause, rules: readonly Automation[]): Promise<Match[]> {
  const subject = rules.some(({ conditions }) => conditions.length > 0) ? await subjectOf(db, cause) : null;
  return rules.flatMap((automation): Match[] => {
    const { conditions } = ruleOf(automation);
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
