/** Everything on a printed document as formatted texts, so that the template only places them. */
import type { Db } from '../../../db/database.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { decimal } from '../../../domain/money.ts';
import { DOCUMENT_STATUS, type PaperForm } from '../../../domain/trade/documents/types.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';
import type { DocumentRow } from '../documents/stored.ts';
import type { SubstitutedSums } from '../documents/substitution.ts';
import { type CustomFacts, customFacts, customTexts } from './custom.ts';
import { type LineGroup, lineGroups, onlyBase } from './lines.ts';
import { createPaper, type Fact, isReceipt, type Paper, presentFacts } from './paper.ts';
import { loadPaperData, loadPaperLogo } from './paper-data.ts';
import { companyParty, type Party, partnerParty, shippingLines } from './parties.ts';
import { type PrintedQr, printedQr } from './qr.ts';
import { printStyle, type Style } from './style.ts';
import { hasSurcharge, mentionTexts, paymentFacts, type TaxView, taxTable, totalsAbove } from './sums.ts';
import type { Texts } from './texts/es.ts';

export interface DocumentView {
  readonly language: Language;
  readonly texts: Texts;
  readonly style: Style;
  readonly title: string;
  /** The legal number, or the word for draft. */
  readonly code: string;
  /** The code by which the invoice is looked up at the tax agency; null for none. */
  readonly qr: PrintedQr | null;
  /** Text across each page; null for none. */
  readonly watermark: string | null;
  readonly company: Party & { readonly foot: string };
  readonly partnerLabel: string;
  readonly partner: Party;
  readonly shipping: readonly string[];
  readonly facts: readonly Fact[];
  readonly custom: CustomFacts;
  /** Custom fields one by one, for templates that place them themselves: `{{ document.custom_x }}`. */
  readonly document: Readonly<Record<string, string>>;
  readonly hasCodes: boolean;
  readonly hasDiscounts: boolean;
  /** Number of columns in the table of lines. */
  readonly columns: number;
  readonly groups: readonly LineGroup[];
  readonly hasSurcharge: boolean;
  readonly taxes: readonly TaxView[];
  readonly totals: readonly Fact[];
  readonly total: string;
  readonly payment: readonly Fact[];
  readonly mentions: readonly string[];
  readonly notes: string | null;
  /** The company's own name for the service, if any. */
  readonly appName: string | null;
}

export interface PaperDocument {
  readonly view: DocumentView;
  readonly row: DocumentRow;
  /** The uploaded image for the head; null if there is none. */
  readonly logo: Uint8Array | null;
  /** Otherwise its web address; null for none. */
  readonly logoUrl: string | null;
}

/** Loads a document with everything that its printed form needs. @throws ServiceError not_found */
export async function documentView(db: Db, documentId: string, form?: PaperForm): Promise<PaperDocument> {
  const paper = createPaper(await loadPaperData(db, documentId), form);
  const { row, logoId, settings } = paper.data;
  const { branding, company } = settings;
  return {
    view: createView(paper),
    row,
    logo: logoId === null ? null : await loadPaperLogo(db, logoId),
    logoUrl: branding.logoUrl || company.logoUrl || null,
  };
}

function createView(paper: Paper): DocumentView {
  const { data, type, texts, formats } = paper;
  const { row, lines } = data;
  const { branding } = data.settings;
  const { appName } = branding;
  const hasCodes = lines.some((line) => data.lineExtras[line.id]?.code);
  const hasDiscounts = lines.some((line) =>
    [line.discountPercent, line.secondDiscountPercent, line.documentDiscount, line.documentCharge].some(
      (discount) => !decimal(discount).eq(0),
    ),
  );
  return {
    language: formats.language,
    texts,
    style: printStyle(branding),
    title: heading(paper),
    code: row.code ?? texts.draft,
    qr: data.record === null ? null : printedQr(data.record),
    watermark: watermark(paper),
    company: companyParty(data.settings.company, texts),
    partnerLabel: type.side === 'sales' ? texts.customer : texts.supplier,
    partner: partnerParty(paper),
    shipping: shippingLines(paper),
    facts: headFacts(paper),
    custom: customFacts(paper),
    document: customTexts(paper),
    hasCodes,
    hasDiscounts,
    columns: 5 + Number(hasCodes) + Number(hasDiscounts),
    groups: lineGroups(paper),
    hasSurcharge: hasSurcharge(paper),
    taxes: taxTable(paper),
    totals: totalsAbove(paper),
    total: formats.money(row.total, row.currency),
    payment: paymentFacts(paper),
    mentions: mentionTexts(paper),
    notes: row.notes,
    appName: appName === DEFAULT_SETTINGS.branding.appName ? null : appName,
  };
}

function heading({ data, type, texts, form }: Paper): string {
  if (form === 'proforma') return texts.proforma;
  if (isReceipt(type, data)) return texts.receipt.title;
  if (data.rectifying) return texts.rectifyingTitles[type.side];
  return data.row.returns === null ? texts.titles[data.row.docType] : texts.returnTitles[type.side];
}

function headFacts(paper: Paper): Fact[] {
  const { data, type, texts, formats } = paper;
  const { row, corrected, replaces, instalments } = data;
  const base = onlyBase(paper);
  const dueDates =
    instalments.length > 0 ? instalments.map(({ dueDate }) => dueDate) : row.dueDate ? [row.dueDate] : [];
  return presentFacts([
    [texts.date, formats.day(row.documentDate ?? row.date)],
    // RD 1619/2012, art. 6.1.i.
    [texts.operationDate, row.operationDate && formats.day(row.operationDate)],
    [texts.validUntil, type.kind === 'quotation' && row.validUntil && formats.day(row.validUntil)],
    [texts.deliveryDate, row.deliveryDate && formats.day(row.deliveryDate)],
    [texts.revision, row.revision > 1 && String(row.revision)],
    [texts.dueDate, type.kind === 'invoice' && dueDates.map((day) => formats.day(day)).join(', ')],
    [texts.partnerCode[type.side], row.partner.code],
    [base?.label ?? '', base?.code],
    // Number and date of the rectified document: RD 1619/2012, art. 15.
    [
      texts.corrected[type.kind === 'invoice' ? 'invoice' : 'delivery_note'],
      corrected?.code && `${corrected.code} · ${formats.day(corrected.date)}`,
    ],
    ...substitutionFacts(paper),
    [texts.replaces, replaces?.code && `${replaces.code} · ${formats.day(replaces.date)}`],
    [texts.reason, data.reason],
    [texts.reference, row.reference],
    [texts.supplierReference, row.supplierReference],
    [texts.customs.title, customsFact(paper)],
    // The place where goods leave or arrive; invoices do not show it.
    [texts.warehouse, type.kind !== 'invoice' && data.warehouse],
  ]);
}

/** Amounts that a rectification by substitution replaces, and the amount of the rectification (RD 1619/2012, art. 15.5). */
function substitutionFacts({ data: { row, substitution }, texts, formats }: Paper): [string, string | null][] {
  const text = ({ subtotal, taxTotal, withholdingAmount, total }: SubstitutedSums) =>
    [
      [texts.base, subtotal] as const,
      [texts.taxAmount, taxTotal] as const,
      ...(decimal(withholdingAmount).eq(0)
        ? []
        : [[texts.withholding, decimal(withholdingAmount).neg().toFixed()] as const]),
      [texts.total, total] as const,
    ]
      .map(([name, amount]) => `${name} ${formats.money(amount, row.currency)}`)
      .join(' · ');
  return [
    [texts.replaced, substitution && text(substitution.replaced)],
    [texts.difference, substitution && text(substitution.difference)],
  ];
}

/** The customs document of imported goods, whose VAT is none of the invoice's. */
function customsFact({ data: { row }, texts, formats }: Paper): string | null {
  const document = row.customsDocument;
  if (document === null) return null;
  const [base, vat] = [document.base, document.vatAmount].map((amount) => formats.money(amount, row.currency));
  const { number, date, deferred } = document;
  const paid = texts.customs[deferred ? 'deferred' : 'paid'];
  return `${number} · ${formats.day(date)} · ${texts.base} ${base} · ${texts.customs.vat} ${vat} (${paid})`;
}

function watermark({ data, type, texts }: Paper): string | null {
  if (data.row.status === DOCUMENT_STATUS.cancelled) return texts.cancelled[type.kind];
  return data.row.status === DOCUMENT_STATUS.draft && data.settings.flags.watermarkDraft ? texts.watermark : null;
}
