/** Invoices of all kinds that a Spanish company issues, for tests of their formats. */
import { BankAccount, Partner, PaymentTerms, Tax } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import { loadSettings, replaceSettings } from '../../services/platform/settings/settings.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../services/trade/lifecycle/create-follow-up.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { updateDocument } from '../../services/trade/lifecycle/update/update.ts';
import type { Company } from './company.ts';

type Row = Record<string, unknown>;

interface Kind {
  readonly name: string;
  readonly partner?: keyof typeof PARTNERS;
  readonly head?: Row;
  readonly lines: readonly Row[];
  /** Lines of a rectifying invoice: a quantity of the first one; `all` takes back everything. */
  readonly rectified?: 'all' | number;
  /** Lines that take the place of all others, by substitution. */
  readonly restated?: readonly Row[];
}

export interface IssuedKind {
  readonly name: string;
  readonly id: string;
}

const MADRID = { street: 'Gran Vía 2', zipCode: '28013', city: 'Madrid', countryCode: 'ES' };
const PARTNERS = {
  company: { name: 'Cliente SA', nif: 'A58818501', countryCode: 'ES', address: MADRID },
  person: { name: 'Ana María Pérez García', nif: '12345678Z', countryCode: 'ES', address: MADRID },
  town: {
    ...{ name: 'Ayuntamiento de Ejemplo', nif: 'P2807900B', countryCode: 'ES', address: MADRID },
    ...{ dir3AccountingOffice: 'L01280796', dir3ManagingBody: 'L01280796', dir3ProcessingUnit: 'LA0001234' },
  },
  retailer: { name: 'Ultramarinos & Hijos <1923>', nif: 'B82846817', countryCode: 'ES', address: MADRID },
  german: {
    ...{ name: 'Beispiel GmbH', nif: 'DE111111125', countryCode: 'DE', language: 'de' },
    address: { street: 'Hauptstr. 1', zipCode: '10115', city: 'Berlin', countryCode: 'DE' },
  },
  american: {
    ...{ name: 'Example Inc.', nif: '12-3456789', countryCode: 'US', language: 'en' },
    address: { street: '1 Main St', zipCode: '02110', city: 'Boston', state: 'MA', countryCode: 'US' },
  },
} as const;

const REASONS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'N1', 'N2'] as const;

const line = (more: Row = {}): Row => ({ description: 'Consultoría', quantity: 1, price: 100, tax: 'IVA21', ...more });

/** Kinds that all formats can tell. */
const COMMON: readonly Kind[] = [
  { name: '21 %', lines: [line()] },
  { name: '10 %', lines: [line({ tax: 'IVA10' })] },
  { name: '4 %', lines: [line({ tax: 'IVA4' })] },
  { name: 'three rates', lines: [line(), line({ tax: 'IVA10', price: 33.33 }), line({ tax: 'IVA4', quantity: 3 })] },
  { name: 'rate of 0 %', lines: [line({ tax: 'IVA00' })] },
  { name: 'discount', lines: [line({ quantity: 10, price: 50, discountPercent: 10 })] },
  { name: 'odd discount', lines: [line({ quantity: 7, price: 3.333, discountPercent: 12.5 }), line()] },
  { name: 'price with tax', lines: [line({ price: undefined, priceWithTax: 9.99, quantity: 3 }), line()] },
  { name: 'price with many decimals', lines: [line({ price: 0.123456, quantity: 1000 })] },
  { name: 'part of a piece', lines: [line({ quantity: 0.33, price: 19.99 })] },
  { name: 'free line', lines: [line(), line({ price: 0 })] },
  { name: 'two discounts', lines: [line({ quantity: 7, discountPercent: 10, secondDiscountPercent: 2.5 })] },
  {
    name: 'discount of the whole',
    head: { discountPercent: 7 },
    lines: [line(), line({ tax: 'IVA10', price: 33.33 })],
  },
  { name: 'amount off the whole', head: { discountAmount: 10 }, lines: [line({ discountPercent: 5 }), line()] },
  { name: 'freight', head: { chargeAmount: 9.99 }, lines: [line(), line({ tax: 'IVA10', price: 33.33 })] },
  {
    name: 'freight and discounts',
    head: { chargeAmount: 12, chargeText: 'Portes', discountPercent: 3 },
    lines: [line({ price: undefined, priceWithTax: 19.99, quantity: 3, discountPercent: 5 }), line()],
  },
  { name: 'whole discount', lines: [line(), line({ discountPercent: 100 })] },
  {
    name: 'line that takes off',
    lines: [line({ price: 200 }), line({ price: -30, description: 'Dto.' })],
  },
  { name: 'many lines', lines: Array.from({ length: 60 }, (_, at) => line({ price: 1.01 + at, quantity: at + 1 })) },
  { name: 'goods', lines: [line({ goods: true, quantity: 4, price: 12.5 })] },
  { name: 'supply before', head: { operationDate: '2026-06-01' }, lines: [line()] },
  { name: 'reference', head: { reference: 'PO-77' }, lines: [line()] },
  { name: 'long reference', head: { reference: 'Pedido 2026/000123 de 1 de junio' }, lines: [line()] },
  { name: 'notes', head: { notes: 'Gracias & hasta pronto <3 "siempre"\nSegunda línea' }, lines: [line()] },
  { name: 'instalments', head: { terms: true }, lines: [line({ price: 300 })] },
  { name: 'due later', head: { dueDate: '2026-08-31' }, lines: [line()] },
  { name: 'person', partner: 'person', lines: [line()] },
  { name: 'public body', partner: 'town', lines: [line(), line({ tax: 'IVA10' })] },
  { name: 'name with signs', partner: 'retailer', lines: [line()] },
  { name: 'goods to the EU', partner: 'german', head: { vatRegime: 'intra_eu' }, lines: [line({ goods: true })] },
  { name: 'service to the EU', partner: 'german', head: { vatRegime: 'intra_eu' }, lines: [line()] },
  {
    name: 'goods and service to the EU',
    partner: 'german',
    head: { vatRegime: 'intra_eu' },
    lines: [line({ goods: true }), line()],
  },
  {
    name: 'discounted to the EU',
    partner: 'german',
    head: { vatRegime: 'intra_eu' },
    lines: [line({ goods: true, discountPercent: 5 })],
  },
  { name: 'goods exported', partner: 'american', head: { vatRegime: 'export' }, lines: [line({ goods: true })] },
  { name: 'service abroad', partner: 'american', head: { vatRegime: 'export' }, lines: [line()] },
  { name: 'reverse charge', head: { vatRegime: 'reverse_charge' }, lines: [line()] },
  { name: 'exempt by regime', head: { vatRegime: 'exempt' }, lines: [line()] },
  { name: 'not subject', head: { vatRegime: 'not_subject' }, lines: [line()] },
  { name: 'exempt beside taxed', lines: [line(), line({ tax: 'E1' })] },
  { name: 'two exemptions', lines: [line({ tax: 'E1' }), line({ tax: 'E6' })] },
  ...REASONS.map((reason) => ({
    name: `reason ${reason}`,
    ...(reason === 'E5' ? { partner: 'german' as const } : {}),
    lines: [line({ tax: reason })],
  })),
  { name: 'taken back', lines: [line({ quantity: 2 }), line({ tax: 'IVA10' })], rectified: 'all' },
  {
    name: 'partly taken back with a discount of the whole',
    head: { discountAmount: 10 },
    lines: [line({ quantity: 3 }), line()],
    rectified: 2,
  },
  { name: 'partly taken back', lines: [line({ quantity: 5, discountPercent: 10 })], rectified: 2 },
  {
    name: 'taken back from the EU',
    partner: 'german',
    head: { vatRegime: 'intra_eu' },
    lines: [line({ goods: true })],
    rectified: 'all',
  },
  {
    name: 'taken back with tax in the price',
    lines: [line({ price: undefined, priceWithTax: 12.1, quantity: 3 })],
    rectified: 1,
  },
  {
    name: 'replaced',
    lines: [line({ quantity: 2 }), line({ tax: 'IVA10' })],
    restated: [line({ quantity: 2, price: 90 })],
  },
];

/** Kinds that only Facturae can tell. */
const SPANISH: readonly Kind[] = [
  { name: 'withholding', partner: 'town', head: { withholdingRate: 15 }, lines: [line(), line({ tax: 'IVA10' })] },
  { name: 'withholding of a line', lines: [line({ withholdingRate: 7 }), line()] },
  { name: 'surcharge', partner: 'retailer', head: { vatRegime: 'surcharge' }, lines: [line(), line({ tax: 'IVA10' })] },
  { name: 'withholding taken back', head: { withholdingRate: 19 }, lines: [line()], rectified: 'all' },
  { name: 'withholding replaced', head: { withholdingRate: 19 }, lines: [line()], restated: [line({ price: 120 })] },
];

/** Issues one invoice of each kind; rectified ones are two, of which the second is listed. */
export async function issueAllKinds(
  company: Company,
): Promise<{ readonly common: IssuedKind[]; readonly spanish: IssuedKind[] }> {
  const known = await prepare(company);
  const issue = async (kinds: readonly Kind[]) => {
    const issued: IssuedKind[] = [];
    for (const kind of kinds) issued.push({ name: kind.name, id: await issueKind(company, kind, known) });
    return issued;
  };
  return { common: await issue(COMMON), spanish: await issue(SPANISH) };
}

interface Known {
  readonly partners: Readonly<Record<string, string>>;
  readonly taxes: Readonly<Record<string, string>>;
  readonly termsId: string;
}

async function prepare({ run, ctx, stockUp, itemId }: Company): Promise<Known> {
  await stockUp(itemId, 1000);
  return run(async (trx) => {
    const company = await loadSettings(trx, 'company');
    const place = { address: 'Calle Alta 2', zipCode: '39001', city: 'Santander', email: 'facturas@ejemplo.es' };
    await replaceSettings(trx, ctx, 'company', { ...company, ...place });
    const account = { name: 'Principal', iban: 'ES9121000418450200051332', bic: 'CAIXESBB' };
    await insertRow(trx, ctx, BankAccount, { ...account, isDefault: true });
    const [customer] = await Partner.query(trx).where({ code: 'C1' });
    const partners: Record<string, string> = {};
    for (const [name, { address: _, ...values }] of Object.entries(PARTNERS)) {
      const groupId = customer?.groupId ?? '';
      partners[name] = (await insertRow(trx, ctx, Partner, { code: name, groupId, ...values })).id;
    }
    const free = { name: 'Sin IVA', rate: '0', surchargeRate: '0' } as const;
    for (const reason of REASONS) {
      const kind = reason.startsWith('E') ? 'exempt' : 'not_subject';
      await insertRow(trx, ctx, Tax, { ...free, code: reason, kind, exemptionReason: reason });
    }
    await insertRow(trx, ctx, Tax, { ...free, code: 'IVA00', kind: 'vat' });
    const taxes = Object.fromEntries((await Tax.query(trx)).map(({ code, id }) => [code, id]));
    const lines = [30, 60, 90].map((days) => ({ percent: days === 90 ? null : 33, days, endOfMonth: false }));
    const terms = await insertRow(trx, ctx, PaymentTerms, { code: 'T', name: '30, 60, 90', lines: lines as never });
    return { partners, taxes, termsId: terms.id };
  });
}

async function issueKind(company: Company, kind: Kind, { partners, taxes, termsId }: Known): Promise<string> {
  const { run, ctx, itemId } = company;
  const { partner = 'company', head: { terms, ...head } = {} } = kind;
  const known = ({ tax, goods, ...more }: Row) => ({
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
    taxGroupId: taxes[String(tax)],
    ...(goods ? { itemId } : {}),
  });
  const lines = kind.lines.map(known);
  const input = {
    ...{ partnerId: partners[partner], lines, date: '2026-06-15', billingAddress: PARTNERS[partner].address },
    ...(terms ? { paymentTermsId: termsId } : {}),
    ...head,
  };
  const post = (id: unknown) => run((trx) => postInvoice(trx, ctx, String(id), { ifMatch: null }));
  const made = (await run((trx) => createDocument(trx, ctx, 'SINV', input as never))) as unknown as {
    id: string;
    lines: { id: string }[];
  };
  await post(made.id);
  if (kind.rectified === undefined && kind.restated === undefined) return made.id;
  const [first] = made.lines;
  const some =
    kind.rectified === undefined
      ? { rectificationMethod: 'substitution' }
      : kind.rectified === 'all'
        ? {}
        : { lines: [{ baseLineId: first?.id, quantity: kind.rectified }] };
  const back = await run((trx) =>
    createFollowUp(trx, ctx, made.id, 'rectify', { reason: 'Error en el precio', ...some } as never, {
      ...{ docType: 'SINV', ifMatch: null },
    }),
  );
  if (kind.restated !== undefined) {
    const takenBack = back.lines.filter(({ quantity }) => quantity < 0).map(({ id }) => ({ id }));
    const again = { lines: [...takenBack, ...kind.restated.map(known)] };
    await run((trx) => updateDocument(trx, ctx, String(back.id), again as never, { ifMatch: null }));
  }
  await post(back.id);
  return back.id;
}
