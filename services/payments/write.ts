/** Writes payments and what follows from them for documents, with audit records and events, in one statement. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import { prepared } from '../../db/sql.ts';
import type { DomainEvent } from '../../db/trail.ts';
import { DOCUMENT_TYPES, type DocumentStatus } from '../../domain/documents/types.ts';
import { RECONCILIATION_DUE } from '../../domain/internal-events.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import { invoiceStatus, paymentStatus } from '../../domain/payments/status.ts';
import { presentDocument } from '../documents/present.ts';
import type { DocumentRow, LoadedDocument } from '../documents/stored.ts';
import { paidEvents } from './events.ts';
import { type LinkRow, type PaymentRow, presentPayment } from './payment.ts';

/** A document whose settled amount changes. */
export interface PaidDocument {
  readonly document: LoadedDocument;
  /** Added to what was settled; below zero when a payment is taken off. */
  readonly settled: Decimal;
}

export interface PaymentWrite {
  readonly inserted?: readonly PaymentRow[];
  readonly changed?: readonly { readonly before: PaymentRow; readonly next: PaymentRow }[];
  readonly removed?: readonly PaymentRow[];
  /** New ones, with the payment they are of. */
  readonly links: readonly (LinkRow & { readonly paymentId: string })[];
  /** Whose amounts are others now; their payment and document stay. */
  readonly relinked?: readonly LinkRow[];
  /** Ids of those that are gone. */
  readonly unlinked?: readonly string[];
  readonly documents: readonly PaidDocument[];
  /** Periods that must stay open until the commit. */
  readonly periods: readonly string[];
  readonly events: readonly { readonly paymentId: string; readonly event: DomainEvent }[];
  readonly runId?: string;
}

/** The request that registers a payment starts its matching itself; the relay does where it could not. */
const OWN_START = '5 seconds';

const WRITE_SQL = `with held as (
    select id from periods where id = any(:periods::uuid[]) and status = 'O' for share
  ), inserted as (
    insert into payments (id, tenant_id, direction, partner_id, amount, applied_total, currency, date, period_id, payment_method, bank_account_id,
      reference, notes, created_by, reconciliation, reconciliation_request, version, created_at, updated_at)
    select id, :tenant, direction, "partnerId", amount, "appliedTotal", currency, date, "periodId", method, "bankAccountId", reference, notes, "createdBy",
      reconciliation, request, 1, :now::timestamptz, :now::timestamptz
    from json_to_recordset(:inserted::json) as n(id uuid, direction text, "partnerId" uuid, amount numeric, "appliedTotal" numeric, currency text,
      date date, "periodId" uuid, method text, "bankAccountId" uuid, reference text, notes text, "createdBy" uuid, reconciliation text, request jsonb)
  ), changed as (
    update payments p set applied_total = n."appliedTotal", reference = n.reference, notes = n.notes, reconciliation = n.reconciliation,
      reconciliation_mode = n.outcome->>'mode', reconciliation_reason = n.outcome->>'reason', explanation = n.outcome->>'explanation',
      version = p.version + 1, updated_at = :now::timestamptz
    from json_to_recordset(:changed::json) as n(id uuid, version integer, "appliedTotal" numeric, reference text, notes text, reconciliation text,
      outcome json)
    where p.id = n.id and p.version = n.version returning p.id
  ), removed as (
    delete from payments p using json_to_recordset(:removed::json) as n(id uuid, version integer)
    where p.id = n.id and p.version = n.version returning p.id
  ), unlinked as (
    delete from payment_applications where id = any(:unlinked::uuid[]) returning id
  ), relinked as (
    update payment_applications a set amount = n.amount, withholding = n.withholding, discount = n.discount, write_off = n."writeOff",
      settled = n.settled, previous_status = n."previousStatus", new_status = n."newStatus", matched_by = n."matchedBy"
    from json_to_recordset(:relinked::json) as n(id uuid, amount numeric, withholding numeric, discount numeric, "writeOff" numeric, settled numeric,
      "previousStatus" text, "newStatus" text, "matchedBy" text)
    where a.id = n.id returning a.id
  ), linked as (
    insert into payment_applications (id, tenant_id, payment_id, document_id, origin_document_id, date, amount, withholding, discount, write_off, settled,
      previous_status, new_status, matched_by, run_id, created_at)
    select id, :tenant, "paymentId", "documentId", "originDocumentId", date, amount, withholding, discount, "writeOff", settled, "previousStatus", "newStatus",
      "matchedBy", :runId::uuid, :now::timestamptz
    from json_to_recordset(:links::json) as n(id uuid, "paymentId" uuid, "documentId" uuid, "originDocumentId" uuid, date date, amount numeric,
      withholding numeric, discount numeric, "writeOff" numeric, settled numeric, "previousStatus" text, "newStatus" text, "matchedBy" text)
  ), paid as (
    update documents d set paid_total = n."paidTotal", payment_status = n."paymentStatus", status = n.status,
      version = d.version + 1, updated_at = :now::timestamptz
    from json_to_recordset(:documents::json) as n(id uuid, version integer, "paidTotal" numeric, "paymentStatus" text, status text)
    where d.id = n.id and d.version = n.version returning d.id
  ), audited as (
    insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
    select id, :tenant, type, "entityId", action, :userId::uuid, :actor, :requestId, old, new, :now::timestamptz
    from json_to_recordset(:audits::json) as n(id uuid, type text, "entityId" uuid, action text, old json, new json)
  ), happened as (
    insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at, locked_until)
    select id, :tenant, event, type, "entityId", payload, :now::timestamptz,
      case when event = '${RECONCILIATION_DUE}' then clock_timestamp() + interval '${OWN_START}' end
    from json_to_recordset(:events::json) as n(id uuid, event text, type text, "entityId" uuid, payload json)
  )
  select (select count(*) from held)::int as held, (select count(*) from changed)::int as changed, (select count(*) from removed)::int as removed,
    (select count(*) from paid)::int as paid, (select count(*) from unlinked)::int + (select count(*) from relinked)::int as unlinked`;

/** How many rows were there as they were expected. */
interface Written {
  readonly held: number;
  readonly changed: number;
  readonly removed: number;
  readonly paid: number;
  readonly unlinked: number;
}

/**
 * @returns the documents after the change
 * @throws ConcurrentChange when a payment or document changed since it was read, or a period was closed
 */
export async function writePayments(trx: Db, ctx: Context, write: PaymentWrite): Promise<DocumentRow[]> {
  const { inserted = [], changed = [], removed = [], relinked = [], unlinked = [], documents, links } = write;
  const periods = [...new Set(write.periods)];
  const paid = documents.map(({ document, settled }) => ({ document, next: paidRow(ctx, document.row, settled) }));
  const audit = (type: string, entityId: string, action: string, old: unknown, next: unknown) => {
    return { id: newId(), type, entityId, action, old, new: next };
  };
  const audits = [
    ...inserted.map((row) => audit('Payment', row.id, 'CREATE', null, presentPayment(row))),
    ...changed.map(({ before, next }) =>
      audit('Payment', next.id, 'UPDATE', presentPayment(before), presentPayment(next)),
    ),
    ...removed.map((row) => audit('Payment', row.id, 'DELETE', presentPayment(row), null)),
    ...paid.map(({ document: { row, lines, taxes }, next }) =>
      audit(
        DOCUMENT_TYPES[row.docType].entityType,
        row.id,
        'UPDATE',
        presentDocument(row, lines, taxes),
        presentDocument(next, lines, taxes),
      ),
    ),
  ];
  const event = (type: string, entityId: string, { name, payload }: DomainEvent) => {
    return { id: newId(), event: name, type, entityId, payload };
  };
  const events = [
    ...write.events.map(({ paymentId, event: happened }) => event('Payment', paymentId, happened)),
    ...paid.flatMap(({ document: { row }, next }) =>
      paidEvents(row, next).map((happened) => event(DOCUMENT_TYPES[row.docType].entityType, row.id, happened)),
    ),
  ];
  const [done] = await prepared<Written>(trx, WRITE_SQL, {
    tenant: ctx.tenantId,
    now: ctx.now.toISOString(),
    userId: ctx.userId,
    actor: ctx.actor,
    requestId: ctx.requestId,
    runId: write.runId ?? null,
    periods,
    inserted: JSON.stringify(inserted.map(({ links: _, partner, ...row }) => ({ ...row, partnerId: partner.id }))),
    changed: JSON.stringify(
      changed.map(({ before: { version }, next: { id, appliedTotal, reference, notes, reconciliation, outcome } }) => {
        return { id, version, appliedTotal, reference, notes, reconciliation, outcome };
      }),
    ),
    removed: JSON.stringify(removed.map(({ id, version }) => ({ id, version }))),
    links: JSON.stringify(links),
    relinked: JSON.stringify(relinked),
    unlinked: [...unlinked],
    documents: JSON.stringify(
      paid.map(({ document: { row }, next: { id, paidTotal, paymentStatus: state, status } }) => {
        return { id, version: row.version, paidTotal, paymentStatus: state, status };
      }),
    ),
    audits: JSON.stringify(audits),
    events: JSON.stringify(events),
  });
  const complete =
    done?.held === periods.length &&
    done.changed === changed.length &&
    done.removed === removed.length &&
    done.paid === paid.length &&
    done.unlinked === unlinked.length + relinked.length;
  if (!complete) throw new ConcurrentChange();
  return paid.map(({ next }) => next);
}

/** The head of a document after more (or less) of it is settled. Orders and notes keep their state: they are delivered, not paid. */
export function paidRow(ctx: Context, row: DocumentRow, settled: Decimal): DocumentRow {
  const paidTotal = decimal(row.paidTotal).plus(settled).toFixed();
  const invoice = DOCUMENT_TYPES[row.docType].kind === 'invoice';
  const state = paymentStatus(row.total, paidTotal);
  const status: DocumentStatus =
    invoice && row.status !== 'X' && row.status !== 'D' ? invoiceStatus(state) : row.status;
  return {
    ...row,
    paidTotal,
    paymentStatus: invoice ? state : null,
    status,
    updatedAt: ctx.now.toISOString(),
    version: row.version + 1,
  };
}
