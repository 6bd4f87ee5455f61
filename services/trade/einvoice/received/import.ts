/** Enters a supplier's invoice from its file: a draft with the file attached, compared with what the file states. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { PartnerGroup } from '../../../../db/models/records/master-data.ts';
import { type FieldError, ServiceError, validationFailed } from '../../../../domain/errors.ts';
import { decimal } from '../../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { ReceivedInvoice, ReceivedParty } from '../../../../domain/trade/einvoice/received/received.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { bodyValidator } from '../../../platform/validation/validate.ts';
import { type AttachmentDeps, addAttachment, storeFile } from '../../../records/attachments/attachments.ts';
import type { Member } from '../../../records/commentable/contributions.ts';
import { partners } from '../../../records/master-data/partners.ts';
import { createSchema } from '../../../records/resources/fields.ts';
import { createOne } from '../../../records/resources/rows.ts';
import { documentInput } from '../../documents/schemas.ts';
import type { DocumentAnswer } from '../../documents/to-json.ts';
import { createDocument } from '../../lifecycle/create.ts';
import { draftInput } from './draft.ts';
import { matchInvoice, normalizedIds, type Supplier } from './match.ts';
import { openInvoice } from './open.ts';
import type { OpenedInvoice } from './open-thread.ts';

/** A file must not bring what a request could not. */
const checkDraft = bodyValidator(documentInput('PINV'));
const checkPartner = bodyValidator(createSchema(partners));

/** Reasons to look at a draft before it is posted. */
export const IMPORT_WARNINGS = [
  'totals_differ',
  'no_item',
  'rectifies',
  'buyer_not_named',
  'signature_unknown',
] as const;

export interface ImportReport {
  readonly format: ReceivedInvoice['format'];
  readonly signature: OpenedInvoice['signature'];
  readonly partnerCreated: boolean;
  /** Totals as the file states them. */
  readonly stated: Readonly<Record<'net' | 'tax' | 'payable', number>>;
  readonly warnings: readonly { readonly code: (typeof IMPORT_WARNINGS)[number]; readonly message: string }[];
}

export interface ImportedInvoice {
  readonly document: DocumentAnswer;
  readonly report: ImportReport;
}

export interface ReceivedFile {
  readonly name: string;
  readonly content: Uint8Array;
  /** Whether an unknown supplier becomes a partner. */
  readonly createPartner: boolean;
}

/**
 * Enters an invoice as a draft. Nothing is fetched, and nothing stays behind if it is refused.
 * @throws ServiceError validation_failed (file, signature, buyer, supplier, currency, credit notes, taxes that are missing), duplicate
 * (the supplier's number), forbidden, period_closed, too_many_requests, storage_full
 */
export async function importInvoice(
  deps: AttachmentDeps,
  ctx: Context,
  member: Member,
  { name, content, createPartner }: ReceivedFile,
): Promise<ImportedInvoice> {
  const { invoice, signature } = await openInvoice(ctx.tenantId, content);
  const stored = await storeFile(deps, ctx, { name, content });
  return await deps.database.withTenant(ctx, async (trx) => {
    await checkAddressed(trx, invoice);
    const matched = await matchInvoice(trx, invoice);
    const supplier = matched.supplier ?? (await newSupplier(trx, ctx, member, invoice.seller, createPartner));
    const { decimalPrecision: amounts, quantityPrecision: quantities } = await loadSettings(trx, 'format');
    const input = draftInput(invoice, supplier.id, matched, { amounts, quantities });
    checkDraft(input);
    const document = await createDocument(trx, ctx, 'PINV', input);
    await addAttachment(trx, ctx, deps, { entityType: DOCUMENT_TYPES.PINV.entityType, entityId: document.id }, stored);
    const { net, tax, payable } = invoice.totals;
    return {
      document,
      report: {
        format: invoice.format,
        signature,
        partnerCreated: matched.supplier === null,
        stated: { net: Number(net), tax: Number(tax), payable: Number(payable) },
        warnings: warnings(invoice, document, signature),
      },
    };
  });
}

/** Whether it is an invoice to this company that can be entered as one. @throws ServiceError validation_failed */
async function checkAddressed(trx: Db, invoice: ReceivedInvoice): Promise<void> {
  const { taxId, country, currency } = await loadSettings(trx, 'company');
  const faults: FieldError[] = [];
  const add = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message });
  const buyers = normalizedIds(invoice.buyer, country);
  if (invoice.buyer.taxIds.length > 0 && !buyers.some((id) => id === taxId || id === `${country}${taxId}`))
    add('/buyer', 'not_ours', `is ${invoice.buyer.taxIds[0]}, and the company is ${taxId}`);
  if (invoice.currency !== currency)
    add('/currency', 'other_currency', `is ${invoice.currency}, and the accounts of the company are in ${currency}`);
  if (invoice.isCredit) {
    const of = invoice.rectified === null ? '' : ` of ${invoice.rectified}`;
    add('/type', 'credit_note', `is a credit note${of}; enter it with POST /api/purchases/invoices/:id/rectify`);
  }
  if (faults.length > 0) throw validationFailed(faults);
}

/** Creates the partner that an invoice proposes. @throws ServiceError validation_failed with the proposal; forbidden */
async function newSupplier(
  trx: Db,
  ctx: Context,
  { role, permissions }: Member,
  seller: ReceivedParty,
  isWanted: boolean,
): Promise<Supplier> {
  const [taxId] = normalizedIds(seller, 'ES');
  const named = `${seller.name}${taxId === undefined ? '' : ` (${taxId})`}`;
  if (!isWanted) {
    const message = `is ${named}, which is no partner: create it, or ask for createPartner=true`;
    throw validationFailed([{ pointer: '/seller', code: 'unknown_partner', message }]);
  }
  if (taxId === undefined)
    throw validationFailed([
      { pointer: '/seller', code: 'required', message: 'must have a tax id to become a partner' },
    ]);
  if (!permissions.has('partners:create'))
    throw new ServiceError('forbidden', 'Partners cannot be created by this role');
  const group = await PartnerGroup.query(trx).where({ is_vendor: true }).orderBy('code').first();
  if (group === undefined)
    throw validationFailed([{ pointer: '/seller', code: 'no_group', message: 'needs a partner group of vendors' }]);
  const partner = {
    name: seller.name.slice(0, 200),
    groupId: group.id,
    ...(seller.country === null ? {} : { countryCode: seller.country }),
    nif: taxId,
  };
  checkPartner(partner);
  const row = await createOne(partners, { trx, ctx, role }, partner);
  return { id: row.id, name: seller.name };
}

function warnings(
  { totals, buyer, lines, rectified }: ReceivedInvoice,
  document: DocumentAnswer,
  { state }: OpenedInvoice['signature'],
): ImportReport['warnings'] {
  const found: ImportReport['warnings'][number][] = [];
  const differs = !decimal(document.total).eq(totals.payable);
  if (differs) {
    const message = `The file states ${totals.payable}, the draft has ${document.total}: compare them before posting`;
    found.push({ code: 'totals_differ', message });
  }
  const without = document.lines.filter(({ itemId }) => itemId === null).length;
  if (without > 0 && lines.some(({ codes }) => codes.length > 0))
    found.push({ code: 'no_item', message: `${without} of ${lines.length} lines name no item that the company has` });
  if (rectified !== null) {
    const message = `It rectifies ${rectified}: if it takes its place, cancel that invoice or rectify it by all that it charged`;
    found.push({ code: 'rectifies', message });
  }
  if (buyer.taxIds.length === 0)
    found.push({ code: 'buyer_not_named', message: 'The file does not state the tax id of the buyer' });
  if (state === 'unknown') found.push({ code: 'signature_unknown', message: 'The signature cannot be checked' });
  return found;
}
