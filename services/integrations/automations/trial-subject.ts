/** Finds the records to try a rule on: the latest that fits. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember, ServiceError, validationFailed } from '../../../domain/errors.ts';
import type { WatchedRecord } from '../../../domain/platform/internal-events.ts';
import { listLatestDocuments } from '../../trade/documents/latest.ts';
import { latestPayment } from '../../trade/payments/list.ts';
import { ruleSubject, triggerDocTypes } from './check.ts';
import { readSelection, recordIds, type Selection } from './records/select.ts';
import type { Trigger } from './schemas.ts';
import { type Happening, loadSubject, type Subject, scheduledHappening } from './subject.ts';

/** Maximum latest records examined for one that fits. */
const MAX_TRIED = 10;

/** Whether the conditions of a rule hold for data. */
export type Holding = (data: Subject) => boolean;

/** Loads the first record of a scheduled rule that fits, or else the first. */
export async function firstRecordThatFits(
  reader: Reader,
  { now }: Context,
  selection: Selection,
  hold: Holding,
): Promise<Subject> {
  const { subject: kind } = selection.resource;
  const load = (id: string | null) =>
    loadSubject(reader, scheduledHappening(now.toISOString(), id === null ? null : { subject: kind, id }));
  const ids = await recordIds(reader, selection, null, MAX_TRIED);
  for (const id of ids) {
    const subject = await load(id);
    if (hold(subject)) return subject;
  }
  return await load(ids[0] ?? null);
}

/**
 * Loads a document, or the latest record that fits, or else the latest.
 * @param documentId null for the latest
 * @throws ServiceError validation_failed for an unknown document
 */
export async function subjectFor(
  reader: Reader,
  ctx: Context,
  trigger: Trigger,
  hold: Holding,
  documentId: string | null,
): Promise<Subject> {
  const event = { name: trigger.type };
  const load = (id: string | null, more: Partial<Happening> = {}) =>
    loadSubject(reader, { documentId: id, paymentId: null, event, ...more });
  const about = ruleSubject(trigger);
  const direction = isOfMadePayments(trigger) ? 'out' : 'in';
  const paymentFor = async (id: string | null) =>
    about === 'payment' ? { paymentId: await latestPayment(reader, direction, id) } : {};
  if (documentId !== null) {
    try {
      return await load(documentId, await paymentFor(documentId));
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
      throw invalidMember('/document_id', 'invalid_reference', 'must be a document of the company');
    }
  }
  if (about === 'payment') return await load(null, await paymentFor(null));
  if (trigger.type === 'stock.low') return await load(null, { itemId: await itemBelowMinimum(reader, ctx) });
  if (about === 'partner' || about === 'item' || about === 'price')
    return await load(null, (await prepared<Partial<Happening>>(reader, LATEST[about], {}))[0]);
  if (about !== 'document') return await load(null);
  return await latestThatFits(reader, trigger, hold, load);
}

function isOfMadePayments(trigger: Trigger): boolean {
  return (
    trigger.type === 'payment.made' || (trigger.type === 'schedule.cron' && trigger.query?.resource === 'made_payments')
  );
}

/** An item to try out rules about low stock on; null if none is below its minimum. */
async function itemBelowMinimum(reader: Reader, ctx: Context): Promise<string | null> {
  const query = { resource: 'items', filters: { belowMinimum: true } } as const;
  const selection = await readSelection(reader, ctx, query, ctx.now, null);
  if ('faults' in selection) throw validationFailed(selection.faults);
  const [first = null] = await recordIds(reader, selection, null, 1);
  return first;
}

/** SQL of the record that was created last, by what a rule is about. */
const LATEST: Readonly<Record<WatchedRecord, string>> = {
  partner: 'select id as "partnerId" from partners order by id desc limit 1',
  item: 'select id as "itemId" from items order by id desc limit 1',
  price: 'select id as "priceId", item_id as "itemId" from prices order by id desc limit 1',
};

async function latestThatFits(
  reader: Reader,
  trigger: Trigger,
  hold: Holding,
  load: (id: string | null) => Promise<Subject>,
): Promise<Subject> {
  const ids = await listLatestDocuments(
    reader,
    {
      docTypes: triggerDocTypes(trigger),
      status: trigger.type === 'document.status_changed' ? trigger.to_status : undefined,
      isSent: trigger.type === 'document.sent',
      isPaid: trigger.type === 'document.paid',
    },
    MAX_TRIED,
  );
  for (const id of ids) {
    const subject = await load(id);
    if (hold(subject)) return subject;
  }
  return await load(ids[0] ?? null);
}
