/** Everything that stands on a printed document, as ready texts: the template only places them. */
import type { Db } from '../../db/database.ts';
import { DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { DocumentRow, LineRow, TaxRow } from '../documents/present.ts';
import { loadDocument } from '../documents/read.ts';
import { loadSettings } from '../settings/settings.ts';
import { type Formats, formatsFor, type Language } from './format.ts';
import { LABELS, type Labels, TITLES } from './labels.ts';

export interface DocumentView {
  readonly language: Language;
  readonly labels: Labels;
  readonly color: string;
  readonly title: string;
  /** The legal number, or the word for draft. */
  readonly code: string;
  /** Written across each page; null for none. */
  readonly watermark: string | null;
  readonly company: { readonly name: string; readonly logo: string | null; readonly lines: readonly string[] };
  readonly partnerLabel: string;
  readonly partner: { readonly name: string; readonly lines: readonly string[] };
  readonly shipping: readonly string[];
  readonly facts: readonly Fact[];
  readonly hasCodes: boolean;
  readonly hasDiscounts: boolean;
  readonly lines: readonly Readonly<
    Record<'code' | 'description' | 'quantity' | 'uom' | 'price' | 'discount' | 'tax' | 'amount', string>
  >[];
  readonly hasSurcharge: boolean;
  readonly taxes: readonly Readonly<Record<'name' | 'base' | 'rate' | 'amount' | 'surcharge', string>>[];
  readonly totals: readonly Fact[];
  readonly total: string;
  readonly notes: string | null;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

interface Extra {
  readonly language: string | null;
  readonly countryCode: string;
  readonly email: string | null;
  readonly phone: string | null;
}

/**
 * Reads a document with what its paper needs.
 * @throws ServiceError not_found
 */
export async function documentView(
  db: Db,
  documentId: string,
): Promise<{ readonly view: DocumentView; readonly row: DocumentRow }> {
  const { row, lines, taxes } = await loadDocument(db, documentId);
  const company = await loadSettings(db, 'company');
  const format = await loadSettings(db, 'format');
  const flags = await loadSettings(db, 'flags');
  const branding = await loadSettings(db, 'branding');
  const partner = (await db('partners')
    .where({ id: row.partner.id })
    .first('language', 'country_code as countryCode', 'email', 'phone')) as Extra;
  const codes = await lineCodes(db, documentId);

  const formats = formatsFor(format, partner.language);
  const { language } = formats;
  const labels = LABELS[language];
  const { side, kind } = DOCUMENT_TYPES[row.docType];
  const draft = row.status === 'D';
  const watermark = draft && flags.watermarkDraft ? labels.watermark : row.status === 'X' ? labels.cancelled : null;
  const prices = formats.prices(lines.map((line) => line.price));
  const view: DocumentView = {
    language,
    labels,
    color: /^#[0-9a-f]{6}$/i.test(branding.colorPrimary) ? branding.colorPrimary : '#2563eb',
    title: TITLES[language][row.docType],
    code: row.code ?? labels.draft,
    watermark,
    company: {
      name: company.name,
      // Nothing is fetched while printing: a logo has to be in the settings itself.
      logo: [branding.logoUrl, company.logoUrl].find((url) => url?.startsWith('data:image/')) ?? null,
      lines: present([
        company.taxId && `${labels.taxId} ${company.taxId}`,
        company.address,
        present([company.zipCode, company.city]).join(' '),
        present([company.phone, company.email]).join(' · '),
        company.website,
      ]),
    },
    partnerLabel: side === 'sales' ? labels.customer : labels.supplier,
    partner: {
      name: row.partner.name,
      lines: present([
        row.partner.nif && `${labels.taxId} ${row.partner.nif}`,
        ...addressLines(row.billingAddress),
        present([partner.phone, partner.email]).join(' · '),
      ]),
    },
    shipping: addressLines(row.shippingAddress),
    facts: facts(row, kind === 'invoice', formats, labels),
    hasCodes: lines.some((line) => codes.get(line.id)?.code),
    hasDiscounts: lines.some((line) => !decimal(line.discountPercent).eq(0)),
    lines: lines.map((line, index) => lineView(line, codes.get(line.id), prices[index] ?? '', formats)),
    hasSurcharge: taxes.some((tax) => !decimal(tax.surchargeAmount).eq(0)),
    taxes: taxes.map((tax) => taxView(tax, formats)),
    totals: totals(row, formats, labels),
    total: `${formats.money(row.total)} ${row.currency}`,
    notes: row.notes,
  };
  return { view, row };
}

function facts(row: DocumentRow, invoice: boolean, formats: Formats, labels: Labels): Fact[] {
  const entries: [string, string | null][] = [
    [labels.number, row.code],
    [labels.date, formats.day(row.date)],
    [labels.dueDate, invoice && row.dueDate ? formats.day(row.dueDate) : null],
    [labels.reference, row.reference],
    [labels.supplierReference, row.supplierReference],
  ];
  return entries.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

function lineView(
  line: LineRow,
  codes: { readonly code: string | null; readonly uom: string | null } | undefined,
  price: string,
  formats: Formats,
): DocumentView['lines'][number] {
  return {
    code: codes?.code ?? '',
    description: line.description,
    quantity: formats.quantity(line.quantity),
    uom: codes?.uom ?? '',
    price,
    discount: decimal(line.discountPercent).eq(0) ? '' : formats.percent(line.discountPercent),
    tax: formats.percent(line.taxRate),
    amount: formats.money(line.amount),
  };
}

function taxView(tax: TaxRow, formats: Formats): DocumentView['taxes'][number] {
  return {
    name: tax.code,
    base: formats.money(tax.base),
    rate: formats.percent(tax.rate),
    amount: formats.money(tax.amount),
    surcharge: decimal(tax.surchargeAmount).eq(0)
      ? ''
      : `${formats.percent(tax.surchargeRate)}  ${formats.money(tax.surchargeAmount)}`,
  };
}

function totals(row: DocumentRow, formats: Formats, labels: Labels): Fact[] {
  const isZero = (value: Decimal) => decimal(value).eq(0);
  const entries: [string, Decimal, boolean][] = [
    [labels.gross, decimal(row.subtotal).plus(row.discountTotal).toFixed(), !isZero(row.discountTotal)],
    [labels.discounts, decimal(row.discountTotal).neg().toFixed(), !isZero(row.discountTotal)],
    [labels.subtotal, row.subtotal, true],
    [labels.taxes, row.taxTotal, true],
    [labels.withholding, decimal(row.withholdingAmount).neg().toFixed(), !isZero(row.withholdingAmount)],
  ];
  return entries.flatMap(([label, value, shown]) => (shown ? [{ label, value: formats.money(value) }] : []));
}

/** Item code and unit of each line. */
async function lineCodes(
  db: Db,
  documentId: string,
): Promise<Map<string, { code: string | null; uom: string | null }>> {
  const { rows } = (await db.raw(
    `select l.id, i.code, u.code as uom from document_lines l
     left join items i on i.id = l.item_id left join uoms u on u.id = coalesce(l.uom_id, i.uom_id)
     where l.document_id = ?`,
    [documentId],
  )) as { rows: { id: string; code: string | null; uom: string | null }[] };
  return new Map(rows.map((line) => [line.id, line]));
}

/** An address as it was written down, whichever of the usual members it has. */
function addressLines(address: unknown): string[] {
  if (typeof address !== 'object' || address === null) return [];
  const member = (name: string) => {
    const value = (address as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : '';
  };
  return present([
    member('name'),
    present([member('street'), member('address')]).join(' '),
    present([member('zipCode') || member('postalCode'), member('city')]).join(' '),
    present([member('state') || member('province'), member('country') || member('countryCode')]).join(', '),
  ]);
}

function present(texts: readonly (string | null | undefined | false)[]): string[] {
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
