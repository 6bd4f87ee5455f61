/** Loads an issued invoice as data, as it was when it was posted. */
import type { Reader } from '../../../db/database.ts';
import type { PostalAddress } from '../../../db/models/trade/documents.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { lookupUrl } from '../../../domain/ledger/verifactu/qr.ts';
import { type Decimal, decimal, round, sum } from '../../../domain/money.ts';
import { totalPercent } from '../../../domain/trade/documents/discounts.ts';
import { lineMention } from '../../../domain/trade/documents/mentions.ts';
import { computeWithholdings } from '../../../domain/trade/documents/totals.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import type { VatRegime } from '../../../domain/trade/documents/vat.ts';
import type {
  AdministrativeCentre,
  BuyerData,
  InvoiceData,
  LineData,
  PartyData,
  TaxData,
} from '../../../domain/trade/einvoice/invoice.ts';
import type { PaymentMethod } from '../../../domain/trade/payments/types.ts';
import { inCompanyCurrency } from '../documents/in-company-currency.ts';
import type { LineRow } from '../documents/stored.ts';
import { createPaper } from '../pdf/paper.ts';
import { loadPaperData, type PaperData } from '../pdf/paper-data.ts';
import { consumptionStates } from '../pdf/sums.ts';

/** Data that papers lack: where an invoice is sent to may change after it was posted. */
interface Routing {
  readonly prefix: string;
  readonly rectifiedPrefix: string | null;
  readonly country: string;
  readonly centres: readonly AdministrativeCentre[];
}

const ROUTING_SQL = `
  select s.prefix, p.country_code as country,
    (select rs.prefix from documents r join series rs on rs.id = coalesce(rf.series_id, r.series_id)
     where r.id = d.rectifies) as "rectifiedPrefix",
    (select coalesce(json_agg(json_build_object('role', c.role, 'code', c.code) order by c.role), '[]')
     from (values ('01', p.dir3_accounting_office), ('02', p.dir3_managing_body), ('03', p.dir3_processing_unit),
       ('04', p.dir3_proposing_body)) as c(role, code) where c.code is not null) as centres
  from documents d
  left join full_invoices f on f.document_id = d.id
  left join full_invoices rf on rf.document_id = d.rectifies
  join series s on s.id = coalesce(f.series_id, d.series_id)
  join partners p on p.id = coalesce(f.partner_id, rf.partner_id, d.partner_id)
  where d.id = :documentId::uuid and d.doc_type = 'SINV'`;

/**
 * Loads the data.
 * @throws ServiceError not_found; invalid_transition (a draft, or a cancelled invoice)
 */
export async function loadInvoiceData(db: Reader, documentId: string): Promise<InvoiceData> {
  const [routing] = await prepared<Routing>(db, ROUTING_SQL, { documentId });
  if (routing === undefined) throw notFound('The document');
  const data = await loadPaperData(db, documentId);
  const { status } = data.row;
  if (status === DOCUMENT_STATUS.draft)
    throw new ServiceError('invalid_transition', 'A draft cannot be written as an electronic invoice; post it first');
  if (status === DOCUMENT_STATUS.cancelled)
    throw new ServiceError('invalid_transition', 'A cancelled invoice cannot be written as an electronic invoice');
  return invoiceData(data, routing);
}

function invoiceData(data: PaperData, { prefix, rectifiedPrefix, country, centres }: Routing): InvoiceData {
  const { row, settings, corrected, bank } = data;
  const { language } = createPaper(data).formats;
  const lines = data.lines.map((line) => lineData(data, line));
  return {
    number: row.code as string,
    prefix,
    date: row.date,
    operationDate: row.operationDate,
    currency: row.currency,
    declaredTax:
      row.exchangeRate === null
        ? null
        : { currency: settings.company.currency, amount: inCompanyCurrency(data).row.taxTotal },
    language,
    spanish: settings.company.country === 'ES',
    taxSet: settings.company.taxSet,
    seller: sellerData(data),
    buyer: buyerData(data, country, centres),
    rectified: corrected?.code ? { number: corrected.code, prefix: rectifiedPrefix ?? '', date: corrected.date } : null,
    reason: data.reason,
    rectificationType: row.rectificationType,
    substitutes: row.rectificationMethod === 'substitution',
    reference: row.reference,
    cashBasis: row.cashBasis === true,
    consumptionStates: consumptionStates(data),
    lines,
    taxes: taxData(data, lines),
    withholdings: computeWithholdings(data.lines, row.withholdingRate, row.decimalPrecision),
    totals: { net: row.subtotal, tax: row.taxTotal, withheld: row.withholdingAmount, total: row.total },
    instalments:
      data.instalments.length > 0
        ? data.instalments.map(({ dueDate, amount }) => ({ dueDate, amount }))
        : [{ dueDate: row.dueDate ?? row.date, amount: row.total }],
    payment: {
      method: data.partner.paymentMethod as PaymentMethod | null,
      iban: bank?.iban ?? null,
      bic: bank?.bic ?? null,
      debitedIban: data.partner.iban,
    },
    notes: row.notes,
    qrUrl: data.record === null ? null : lookupUrl(data.record.environment, data.record.invoice, data.record.total),
  };
}

function sellerData({ settings: { company } }: PaperData): PartyData {
  const { name, taxId, country, address, zipCode, city, email, phone } = company;
  return { name, taxId: taxId || null, country, street: address, zipCode, city, state: null, email, phone };
}

/** The customer as the invoice names them, where its address says nothing else. */
function buyerData({ row, partner }: PaperData, own: string, centres: readonly AdministrativeCentre[]): BuyerData {
  const { name, street, zipCode, city, state, countryCode } = (row.billingAddress ?? {}) as PostalAddress;
  return {
    name: name ?? partner.name,
    taxId: partner.nif,
    country: countryCode ?? own,
    street: street ?? null,
    zipCode: zipCode ?? null,
    city: city ?? null,
    state: state ?? null,
    email: partner.email,
    phone: partner.phone,
    centres,
  };
}

function lineData({ row, lineExtras, bases }: PaperData, line: LineRow): LineData {
  const extra = lineExtras[line.id];
  const base = line.baseId === null ? undefined : bases[line.baseId];
  const regime = line.vatRegime as VatRegime | null;
  return {
    code: extra?.code ?? null,
    description: line.description,
    quantity: line.quantity,
    unit: extra?.uom ?? null,
    price: line.price,
    discountPercent:
      decimal(line.documentDiscount).eq(0) && decimal(line.documentCharge).eq(0) ? totalPercent(line) : null,
    charge: netCharge(line),
    amount: line.amount,
    taxRate: line.taxRate,
    surchargeRate: line.surchargeRate,
    withholdingRate: line.withholdingRate ?? row.withholdingRate,
    mention:
      extra === undefined ? null : lineMention(row.vatRegime as VatRegime, { ...extra, taxRate: line.taxRate, regime }),
    note: base?.docType === 'SDN' && base.code !== null ? { number: base.code, date: base.date } : null,
  };
}

/** The share of the charge without the tax that it includes where the price does. */
function netCharge({ documentCharge, priceWithTax, taxRate, surchargeRate }: LineRow): Decimal {
  if (priceWithTax === null) return documentCharge;
  return round(decimal(documentCharge).times(100).div(decimal(100).plus(taxRate).plus(surchargeRate)), 2);
}

/** Taxes by rate and surcharge, and what bears none by its reason. */
function taxData({ taxes }: PaperData, lines: readonly LineData[]): TaxData[] {
  const alike = (rate: Decimal, surcharge: Decimal) => `${decimal(rate).toFixed()} ${decimal(surcharge).toFixed()}`;
  const charged = groupBy(taxes, (tax) => alike(tax.rate, tax.surchargeRate));
  const groups = groupBy(
    lines,
    (line) => `${alike(line.taxRate, line.surchargeRate)} ${line.mention?.mention} ${line.mention?.article}`,
  );
  return [...groups.values()].map((group) => {
    const { taxRate: rate, surchargeRate, mention } = group[0] as LineData;
    const same = decimal(rate).eq(0) ? [] : (charged.get(alike(rate, surchargeRate)) ?? []);
    return {
      rate,
      base: sum(group.map(({ amount }) => amount)).toFixed(),
      amount: sum(same.map(({ amount }) => amount)).toFixed(),
      surchargeRate,
      surchargeAmount: sum(same.map(({ surchargeAmount }) => surchargeAmount)).toFixed(),
      mention,
    };
  });
}
