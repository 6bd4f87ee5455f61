/** Documents that are made again and again. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { toNumber } from '../../../domain/money.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { without } from '../../platform/validation/schemas.ts';
import { bodyValidator } from '../../platform/validation/validate.ts';
import { splitCustom } from '../../records/custom-fields/rows.ts';
import { newCustomValues } from '../../records/custom-fields/write.ts';
import { resolveDocument } from '../../trade/documents/resolve/document.ts';
import { loadReferences } from '../../trade/documents/resolve/load-references.ts';
import type { References } from '../../trade/documents/resolve/references.ts';
import { type DocumentInput, type DocumentLineInput, documentInput } from '../../trade/documents/schemas.ts';
import { createDocument } from '../../trade/lifecycle/create.ts';
import { copyDocument } from '../../trade/lifecycle/duplicate.ts';
import { postInvoice } from '../../trade/lifecycle/post.ts';
import { sendDocument } from '../../trade/lifecycle/send.ts';
import type { Made, RecurringKind, Template } from './kind.ts';

/** Members that belong to one document: its dates, and other documents. */
const OF_ONE = [
  ...['date', 'periodId', 'operationDate', 'documentDate', 'dueDate'],
  ...['rectifies', 'reason', 'returnStock', 'rectificationType', 'rectificationMethod', 'customsDocument'],
];

const KINDS = new Map(DOC_TYPES.map((docType) => [docType, makeKind(docType)]));

export function documentKind(docType: DocType): RecurringKind {
  return KINDS.get(docType) as RecurringKind;
}

function makeKind(docType: DocType): RecurringKind {
  const validate = bodyValidator(without(documentInput(docType), OF_ONE));
  return {
    async check(trx, ctx, given, price) {
      const template = structuredClone(given) as unknown as DocumentInput;
      validate(template);
      const input = price === 'current' ? { ...template, lines: template.lines.map(withoutPrice) } : template;
      await newCustomValues(trx, ctx, DOCUMENT_TYPES[docType].entityType, splitCustom(input).custom);
      const references = await loadReferences(trx, ctx, docType, input);
      const { lines } = await resolveDocument(docType, input, inOpenPeriod(references));
      if (price === 'current') return checked(input);
      return checked({
        ...input,
        lines: input.lines.map((line, index) => ({ ...line, ...priceNow(line, lines[index]) })),
      });
    },

    async from(trx, ctx, id) {
      const { input } = await copyDocument(trx, ctx, id, { docType, ifMatch: null });
      return templateFrom(input);
    },

    async make(trx, ctx, due) {
      const document = await createDocument(trx, ctx, docType, due.template as unknown as DocumentInput);
      if (due.mode === 'draft') return made(document.id);
      if (DOCUMENT_TYPES[docType].kind === 'invoice') {
        await postInvoice(trx, ctx, document.id, { docType, ifMatch: null });
      }
      return made(document.id, due.mode === 'send' ? await sent(trx, ctx, document.id, docType) : null);
    },
  };
}

/** Documents that are made on later days may be checked while the period of today is closed or locked. */
function inOpenPeriod(references: References): References {
  const { period } = references;
  return period === null
    ? references
    : { ...references, period: { ...period, status: PERIOD_STATUS.open, lockedAreas: [] } };
}

function checked(input: DocumentInput) {
  return { template: templateFrom(input), partnerId: input.partnerId };
}

function templateFrom(input: DocumentInput): Template {
  return { ...input };
}

function made(documentId: string, reason: string | null = null): Made {
  return { documentId, entryId: null, reason };
}

/** Prices of the day replace those of items; lines without an item keep theirs. */
function withoutPrice(line: DocumentLineInput): DocumentLineInput {
  if (line.itemId === undefined) return line;
  const { price: _, priceWithTax: __, discountPercent: ___, secondDiscountPercent: ____, ...rest } = line;
  return rest;
}

type Prices = Parameters<typeof toNumber>[0];

/** The price that a line has today, unless it was given. */
function priceNow(
  line: DocumentLineInput,
  resolved:
    | { price: Prices; priceWithTax: Prices | null; discountPercent: Prices; secondDiscountPercent: Prices }
    | undefined,
): Partial<DocumentLineInput> {
  if (resolved === undefined || line.price !== undefined || line.priceWithTax !== undefined) return {};
  const { price, priceWithTax, discountPercent, secondDiscountPercent } = resolved;
  return {
    ...(priceWithTax === null ? { price: toNumber(price) } : { priceWithTax: toNumber(priceWithTax) }),
    discountPercent: toNumber(discountPercent),
    ...(toNumber(secondDiscountPercent) === 0 ? {} : { secondDiscountPercent: toNumber(secondDiscountPercent) }),
  };
}

/** Sends a document. @returns why it could not be sent, in which case it stays as it is; null if it goes */
async function sent(trx: Db, ctx: Context, documentId: string, docType: DocType): Promise<string | null> {
  try {
    await sendDocument(trx, ctx, documentId, { docType, ifMatch: null, kind: 'recurring' });
    return null;
  } catch (error) {
    // Nothing has been written when a mail is refused.
    if (error instanceof ServiceError && error.code === 'validation_failed') return `It was not sent: ${error.message}`;
    throw error;
  }
}
