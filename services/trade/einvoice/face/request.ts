/** Requests of people about an invoice at FACe: to send it, to cancel it there, and to follow one that somebody has found there. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { query } from '../../../../db/sql.ts';
import { notFound, ServiceError } from '../../../../domain/errors.ts';
import { Faults } from '../../../../domain/faults.ts';
import { FACE_DUE } from '../../../../domain/platform/internal-events.ts';
import { ENDED_WITHOUT, FOLLOWED } from '../../../../domain/trade/einvoice/face/statuses.ts';
import { facturae } from '../../../../domain/trade/einvoice/facturae/document.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { loadInvoiceData } from '../invoice-data.ts';
import { lastSubmission, readSubmission, type Stored, type Submission, storeSubmission } from './submissions.ts';

const WORDS: Readonly<Record<Submission['status'], string>> = {
  waiting: 'it already waits to be sent',
  sending: 'it is being sent',
  uncertain: 'it is not known whether FACe has it',
  refused: 'FACe has refused it',
  registered: 'FACe has it',
  accounted: 'the public body has accepted it',
  paid: 'the public body has paid it',
  rejected: 'the public body has rejected it',
  annulled: 'it is cancelled at FACe',
};

/**
 * Has an invoice sent to the public body that its partner is. It is signed when it is sent.
 * @param email address to which FACe reports; that of the settings by default
 * @throws ServiceError not_found; invalid_transition (not posted, sent before, no certificate that is valid); validation_failed naming what
 * the invoice lacks
 */
export async function requestSending(
  trx: Db,
  ctx: Context,
  documentId: string,
  { email }: { readonly email?: string | undefined },
): Promise<Submission> {
  await lockInvoice(trx, documentId);
  const last = await lastSubmission(trx, documentId);
  if (last !== undefined && !ENDED_WITHOUT.includes(last.status)) throw cannot('be sent', last);
  const invoice = await loadInvoiceData(trx, documentId);
  const faults = new Faults();
  if (invoice.buyer.centres.length === 0) {
    const message =
      'must have dir3AccountingOffice, dir3ManagingBody and dir3ProcessingUnit, the offices of a public body';
    faults.add('/partnerId', 'required', message);
  }
  const { environment, email: usual } = await loadSettings(trx, 'face');
  const { email: companys } = await loadSettings(trx, 'company');
  const address = email ?? usual ?? companys ?? '';
  if (address === '')
    faults.add('/email', 'required', 'is required: neither /api/config/face nor the company has an address');
  faults.throwIfAny();
  facturae(invoice); // Says what else is missing.
  await assertCertificate(trx, ctx);
  const id = newId();
  const now = ctx.now.toISOString();
  await query(
    trx,
    `insert into face_submissions (id, tenant_id, document_id, environment, email, status, next_at, created_at, changed_at)
     values (:id::uuid, :tenantId::uuid, :documentId::uuid, :environment, :address, 'waiting', :now::timestamptz, :now::timestamptz,
       :now::timestamptz)`,
    { id, tenantId: ctx.tenantId, documentId, environment, address, now },
  );
  return await wake(trx, ctx, id);
}

/**
 * Asks for the cancellation of an invoice that FACe has.
 * @throws ServiceError not_found; invalid_transition
 */
export async function requestCancellation(
  trx: Db,
  ctx: Context,
  documentId: string,
  reason: string,
): Promise<Submission> {
  await lockInvoice(trx, documentId);
  const last = await lastSubmission(trx, documentId);
  if (last === undefined || !FOLLOWED.includes(last.status)) throw cannot('be cancelled at FACe', last);
  if (last.cancellation === 'waiting' || last.cancellation === 'asked')
    throw new ServiceError(
      'invalid_transition',
      'The invoice cannot be cancelled at FACe because that is asked for already',
    );
  const asked = { cancellation: 'waiting', cancellationReason: reason, nextAt: ctx.now } as const;
  return await change(trx, ctx, last, asked);
}

/**
 * Follows an invoice from now on that somebody has found at FACe, or has handed in there.
 * @throws ServiceError not_found; invalid_transition unless it is uncertain whether FACe has it
 */
export async function enterRegistration(
  trx: Db,
  ctx: Context,
  documentId: string,
  registryCode: string,
): Promise<Submission> {
  await lockInvoice(trx, documentId);
  const last = await lastSubmission(trx, documentId);
  if (last?.status !== 'uncertain') throw cannot('be entered as registered', last);
  const found = { status: 'registered', registryCode, errors: null, failures: 0, nextAt: ctx.now } as const;
  return await change(trx, ctx, last, found);
}

/** @throws ServiceError unavailable if the workflow has changed it at the same moment */
async function change(trx: Db, ctx: Context, last: Submission, values: Stored): Promise<Submission> {
  if (await storeSubmission(trx, ctx.now, last, [last.status], values)) return await wake(trx, ctx, last.id);
  throw new ServiceError('unavailable', 'The state of the invoice at FACe has just changed; try again', {
    retryAfter: 1,
  });
}

function cannot(what: string, last: Submission | undefined): ServiceError {
  const why = last === undefined ? 'it was not sent' : WORDS[last.status];
  return new ServiceError('invalid_transition', `The invoice cannot ${what} because ${why}`);
}

/** Requests for the same invoice wait for each other. */
async function lockInvoice(trx: Db, documentId: string): Promise<void> {
  const found = await query(
    trx,
    `select id from documents where id = :documentId::uuid and doc_type = 'SINV' for no key update`,
    { documentId },
  );
  if (found.length === 0) throw notFound('The document');
}

/** The certificate is opened when it is needed; here it must only be there. */
async function assertCertificate(trx: Db, { now }: Context): Promise<void> {
  const [found] = await query<{ until: string }>(
    trx,
    'select valid_until as until from verifactu_certificates where valid_until > :now::timestamptz',
    { now: now.toISOString() },
  );
  if (found !== undefined) return;
  throw new ServiceError(
    'invalid_transition',
    'The invoice cannot be sent because the company has no valid certificate: PUT /api/verifactu/certificate',
  );
}

async function wake(trx: Db, ctx: Context, id: string): Promise<Submission> {
  await new Changes(ctx).emit({ type: 'FaceSubmission', id }, { name: FACE_DUE, payload: {} }).write(trx);
  return await readSubmission(trx, id);
}
