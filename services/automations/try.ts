/** Tries a rule: what its conditions see, and what its actions would do. Nothing is done. */
import type { Context } from '../../db/context.ts';
import type { Reader } from '../../db/database.ts';
import type { Automation } from '../../db/models/automations.ts';
import { TooLong } from '../../domain/automations/templates.ts';
import { allHold, type Condition, holds } from '../../domain/conditions/conditions.ts';
import { valueAt } from '../../domain/conditions/paths.ts';
import { DOC_TYPE_NAMES, DOC_TYPES, type DocType } from '../../domain/documents/types.ts';
import { invalidMember, ServiceError, validationFailed } from '../../domain/errors.ts';
import { recipientsIn } from '../../domain/mail/addresses.ts';
import { latestDocuments } from '../documents/latest.ts';
import { latestPayment } from '../payments/latest.ts';
import { isAboutDocument, recordsOf } from './check.ts';
import { ruleOf } from './manage.ts';
import { countRecords, MOST_RECORDS, recordIds, type Selection, selectionOf } from './records/select.ts';
import { renderAction } from './render.ts';
import type { Action, Trigger } from './schemas.ts';
import { atTheTime, loadSubject, type Subject } from './subject.ts';

/** How many of the latest documents are looked at for one that fits. */
const LOOKED_AT = 10;
/** What of its data a rule can be about. */
const ABOUT = ['document', 'payment', 'partner', 'item'] as const;

export interface Trial {
  /** Whether the rule would run. */
  readonly matched: boolean;
  /** The document that it was tried with; null if it is about none, or there is none. */
  readonly document_id: string | null;
  /** How many records its query selects now, counted up to one more than a run acts on; null without a query. */
  readonly records: number | null;
  readonly conditions: readonly {
    readonly field: string;
    readonly operator: string;
    readonly expected: unknown;
    readonly actual: unknown;
    readonly result: boolean;
  }[];
  readonly actions: readonly {
    readonly type: string;
    readonly rendered: Readonly<Record<string, unknown>>;
    readonly warnings: readonly string[];
  }[];
}

/**
 * Tries it with a document, or the latest that fits.
 * @param documentId null for the latest
 * @throws ServiceError validation_failed for a document that is not there
 */
export async function tryAutomation(
  reader: Reader,
  ctx: Context,
  automation: Automation,
  documentId: string | null,
): Promise<Trial> {
  const { trigger, conditions, actions } = ruleOf(automation);
  const selection = await selectionFor(reader, ctx, { id: automation.id, trigger });
  const subject =
    selection === null || documentId !== null
      ? await subjectFor(reader, trigger, conditions, documentId)
      : await firstRecordThatFits(reader, ctx, selection, conditions);
  const isAboutNone = !isAboutDocument(trigger) && recordsOf(trigger) === null;
  const isThere = isAboutNone || ABOUT.some((member) => subject[member] !== undefined);
  return {
    matched: isThere && fits(trigger, subject) && allHold(conditions, subject),
    document_id: (subject.document?.id as string | undefined) ?? null,
    records: selection === null ? null : await countRecords(reader, selection, MOST_RECORDS + 1),
    conditions: conditions.map((condition) => ({
      field: condition.field,
      operator: condition.operator,
      expected: condition.value ?? null,
      actual: valueAt(subject, condition.field) ?? null,
      result: holds(condition, subject),
    })),
    actions: actions.map((action) => triedAction(action, subject)),
  };
}

async function selectionFor(
  reader: Reader,
  ctx: Context,
  { id, trigger }: { readonly id: string; readonly trigger: Trigger },
): Promise<Selection | null> {
  if (trigger.type !== 'schedule.cron' || trigger.query === undefined) return null;
  const selection = await selectionOf(reader, ctx, trigger.query, ctx.now, trigger.query.once === true ? id : null);
  if (!('faults' in selection)) return selection;
  throw validationFailed(selection.faults.map((fault) => ({ ...fault, pointer: `/trigger/query${fault.pointer}` })));
}

async function firstRecordThatFits(
  reader: Reader,
  { now }: Context,
  selection: Selection,
  conditions: readonly Condition[],
): Promise<Subject> {
  const { subject: kind } = selection.resource;
  const load = (id: string | null) =>
    loadSubject(reader, atTheTime(now.toISOString(), id === null ? null : { subject: kind, id }));
  const ids = await recordIds(reader, selection, null, LOOKED_AT);
  for (const id of ids) {
    const subject = await load(id);
    if (allHold(conditions, subject)) return subject;
  }
  return await load(ids[0] ?? null);
}

async function subjectFor(
  reader: Reader,
  trigger: Trigger,
  conditions: readonly Condition[],
  documentId: string | null,
): Promise<Subject> {
  const event = { name: trigger.type };
  const load = (id: string | null, paymentId: string | null = null) =>
    loadSubject(reader, { documentId: id, paymentId, event });
  if (documentId !== null) {
    try {
      return await load(
        documentId,
        trigger.type === 'payment.received' ? await latestPayment(reader, documentId) : null,
      );
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
      throw invalidMember('/document_id', 'invalid_reference', 'must be a document of the company');
    }
  }
  if (trigger.type === 'payment.received') return await load(null, await latestPayment(reader, null));
  if (!isAboutDocument(trigger)) return await load(null);
  return await latestThatFits(reader, trigger, conditions, load);
}

async function latestThatFits(
  reader: Reader,
  trigger: Trigger,
  conditions: readonly Condition[],
  load: (id: string | null) => Promise<Subject>,
): Promise<Subject> {
  const ids = await latestDocuments(
    reader,
    {
      docTypes: typesOf(trigger),
      status: trigger.type === 'document.status_changed' ? trigger.to_status : undefined,
      isSent: trigger.type === 'document.sent',
      isPaid: trigger.type === 'document.paid',
    },
    LOOKED_AT,
  );
  for (const id of ids) {
    const subject = await load(id);
    if (allHold(conditions, subject)) return subject;
  }
  return await load(ids[0] ?? null);
}

/** The types of documents that a rule is about. */
export function typesOf(trigger: Trigger): readonly DocType[] {
  const selected = recordsOf(trigger)?.docType;
  if (selected !== undefined) return [selected];
  const name = 'document_type' in trigger ? trigger.document_type : undefined;
  const only = name === undefined ? undefined : DOC_TYPE_NAMES[name];
  return only === undefined ? DOC_TYPES : [only];
}

function fits(trigger: Trigger, { document }: Subject): boolean {
  if (document === undefined || trigger.type === 'payment.received') return true;
  const isOfType = typesOf(trigger).includes(document.docType as DocType);
  const { to_status: to } = trigger as { to_status?: string };
  return isOfType && (to === undefined || document.status === to);
}

function triedAction(action: Action, subject: Subject): Trial['actions'][number] {
  const { type } = action;
  try {
    const { rendered, unknown } = renderAction(action, subject);
    const { type: _, ...members } = rendered;
    const warnings = [...unknown.map((path) => `{{${path}}} leads to nothing`), ...doubts(type, members, subject)];
    return { type, rendered: members, warnings };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { type, rendered: {}, warnings: [`It cannot be done: ${error.message}`] };
  }
}

/** What would fail, as far as the filled-in action shows it. */
function doubts(type: Action['type'], { to }: Readonly<Record<string, unknown>>, { document }: Subject): string[] {
  if (type === 'document.lock' && document !== undefined) {
    if (document.lockedAt !== null) return [`The document is locked since ${document.lockedAt}`];
    return document.lockDueAt === null ? [] : [`The document will be locked at ${document.lockDueAt}`];
  }
  if (type !== 'email.send') return [];
  const found = recipientsIn(String(to));
  return 'code' in found ? [`to ${found.message}`] : [];
}
