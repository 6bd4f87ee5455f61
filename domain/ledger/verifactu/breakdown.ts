/** Divides an invoice by what is taxed alike, as its record does (Veri*factu, lists L8A to L10). */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import type { ExemptionReason } from '../../trade/documents/exemptions.ts';
import { isUnionScheme, type TaxOperation } from '../../trade/documents/operations.ts';
import type { TaxSet } from '../../trade/documents/tax-sets.ts';
import { accruedKind } from '../accounting/cash-basis.ts';
import type { LineTax } from '../accounting/entries.ts';
import { isUntaxedMargin } from '../tax-returns/totals.ts';
import type { Detail } from './records.ts';

/** The key of the regime, and how an operation is qualified, or why it is exempt. */
export type Treatment = Pick<Detail, 'regime' | 'qualification' | 'exemption'>;
type Said = Treatment & Pick<Detail, 'tax'>;

/** Codes of indirect taxes (list L1). */
const TAXES: Readonly<Record<TaxSet, Detail['tax']>> = { vat: '01', ipsi: '02', igic: '03' };

/** How each operation of sales is qualified. Purchases have no records. */
const TREATMENTS: Readonly<Record<TaxOperation, Treatment>> = {
  domestic: { regime: '01', qualification: 'S1' },
  // 18 is the key of companies that are under the surcharge themselves.
  surcharge: { regime: '01', qualification: 'S1' },
  cash_basis: { regime: '07', qualification: 'S1' },
  intra_eu_goods: { regime: '01', exemption: 'E5' },
  intra_eu_services: { regime: '01', qualification: 'N2' },
  export: { regime: '02', exemption: 'E2' },
  services_abroad: { regime: '01', qualification: 'N2' },
  import: { regime: '01', qualification: 'S1' },
  services_from_abroad: { regime: '01', qualification: 'N2' },
  // Tax of another state is no part of the details (key 17).
  oss_goods: { regime: '17', qualification: 'N2' },
  oss_services: { regime: '17', qualification: 'N2' },
  reverse_charge: { regime: '01', qualification: 'S2' },
  agricultural: { regime: '01', qualification: 'S1' },
  margin: { regime: '03', qualification: 'S1' },
  exempt: { regime: '01', exemption: 'E1' },
  not_subject: { regime: '01', qualification: 'N1' },
};

/** Exemptions that are no export have the general key; an export may not (AEAT, validation 1199). */
const EXEMPT: Partial<Record<ExemptionReason, Treatment>> = {
  E3: { regime: '02', exemption: 'E3' },
  E4: { regime: '01', exemption: 'E4' },
  E6: { regime: '01', exemption: 'E6' },
};

/** Reasons why taxes are not charged, by tax group; none = what is usual for the operation. */
export type Reasons = Readonly<Record<string, ExemptionReason>>;

/** The taxes that the entry of a sales invoice states, with the sign of the invoice. */
export type StatedTax = Pick<LineTax, 'kind' | 'operation' | 'groupId' | 'rate' | 'base' | 'amount'>;

/** Adds up taxes by qualification, rate and surcharge. Withholding is no part of it. */
export function breakdown(stated: readonly StatedTax[], reasons: Reasons, set: TaxSet): Detail[] {
  const taxes = stated.filter((tax) => !isUntaxedMargin(tax)).map((tax) => ({ ...tax, kind: accruedKind(tax.kind) }));
  const surcharges = taxes.filter(({ kind }) => kind === 'surcharge');
  const parts = taxes
    .filter(({ kind }) => kind === 'output')
    .map((tax) =>
      toDetail(
        tax,
        said(treatment(tax, reasons), set),
        surcharges.find((one) => comesWith(tax, one)),
      ),
    );
  return [...groupBy(parts, detailKey).values()].map(addUp);
}

/** Whether a surcharge comes with a tax. */
function comesWith(tax: StatedTax, surcharge: StatedTax): boolean {
  return (
    tax.operation === surcharge.operation && tax.groupId === surcharge.groupId && decimal(tax.base).eq(surcharge.base)
  );
}

function treatment({ operation, groupId }: StatedTax, reasons: Reasons): Treatment {
  return salesTreatment(operation, groupId === null ? undefined : reasons[groupId]);
}

/** How a sale is declared. @param reason why its tax is not charged, if that is stated */
export function salesTreatment(operation: TaxOperation, reason: ExemptionReason | null | undefined): Treatment {
  return (reason && EXEMPT[reason]) ?? TREATMENTS[operation];
}

/** Keys of regimes are of VAT and IGIC alone (lists L8A and L8B). */
function said({ regime, ...treatment }: Treatment, set: TaxSet): Said {
  return { tax: TAXES[set], ...(set === 'ipsi' ? {} : { regime }), ...treatment };
}

function toDetail({ rate, base, amount }: StatedTax, said: Said, surcharge: StatedTax | undefined): Detail {
  const stated = { ...said, base: cents(base) } as const;
  if (said.qualification === 'S2') return { ...stated, rate: '0.00', amount: '0.00' };
  if (said.qualification !== 'S1') return stated;
  const taxed = { ...stated, rate: cents(rate), amount: cents(amount) };
  if (surcharge === undefined) return taxed;
  return { ...taxed, surchargeRate: cents(surcharge.rate), surchargeAmount: cents(surcharge.amount) };
}

function detailKey({ regime, qualification, exemption, rate, surchargeRate }: Detail): string {
  return [regime, qualification, exemption, rate, surchargeRate].join(' ');
}

function addUp(parts: readonly Detail[]): Detail {
  const [first, ...others] = parts as [Detail, ...Detail[]];
  if (others.length === 0) return first;
  const total = (member: 'base' | 'amount' | 'surchargeAmount') =>
    first[member] === undefined ? {} : { [member]: cents(sum(parts.map((part) => part[member] ?? '0')).toFixed()) };
  return { ...first, ...total('base'), ...total('amount'), ...total('surchargeAmount') };
}

/** Parts of the total of an invoice that no detail has: taxes of other states, and what bears no tax under the margin scheme. */
export function besideDetails(stated: readonly StatedTax[]): Decimal {
  const parts = stated.map((tax) =>
    isUnionScheme(tax.operation) ? tax.amount : isUntaxedMargin(tax) ? tax.base : '0',
  );
  return sum(parts).toFixed();
}

/** Taxes and surcharges of all details, and bases with them. */
export function detailTotals(details: readonly Detail[]): { readonly taxTotal: Decimal; readonly total: Decimal } {
  const taxes = sum(details.flatMap(({ amount = '0', surchargeAmount = '0' }) => [amount, surchargeAmount] as const));
  const bases = sum(details.map(({ base }) => base));
  return { taxTotal: taxes.toFixed(2), total: bases.plus(taxes).toFixed(2) };
}

/** Two decimals, as records have all amounts and rates. */
function cents(value: Decimal): Decimal {
  return decimal(value).toFixed(2);
}
