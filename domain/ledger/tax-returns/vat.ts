/**
 * VAT by kind and rate: charged on sales or self-assessed on purchases (repercutido), and borne on purchases
 * (soportado).
 */
import { type Decimal, decimal, sum } from '../../money.ts';
import { isUnionScheme } from '../../trade/documents/operations.ts';
import { accruedKind, isPending } from '../accounting/cash-basis.ts';
import { isImportInvoice, type TaxTotal } from './totals.ts';

export interface VatAmounts {
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surcharge: Decimal;
}

/** Kinds of rows; tax of the cash basis is pending until it accrues, and that of other states (OSS) is declared to them. */
export const VAT_KINDS = [
  'repercutido',
  'soportado',
  'repercutido_pendiente',
  'soportado_pendiente',
  'repercutido_oss',
] as const;

export interface VatRow extends VatAmounts {
  readonly kind: (typeof VAT_KINDS)[number];
  readonly groupId: string | null;
  readonly rate: Decimal;
  readonly operation: TaxTotal['operation'];
  /** Use of borne tax; null for charged tax. */
  readonly use: TaxTotal['use'] | null;
  readonly rectifying: boolean;
  /** The value of the filter `taxedAs` of journal entries that finds its lines. */
  readonly taxedAs: string;
}

/** Builds a row for each tax, rate and operation; a surcharge stands beside its tax. */
export function vatRows(totals: readonly TaxTotal[]): VatRow[] {
  const rows = new Map<string, VatRow>();
  const add = (row: VatRow): void => {
    const known = rows.get(row.taxedAs);
    const plus = (of: keyof VatAmounts) => sum([known?.[of] ?? '0', row[of]]).toFixed();
    rows.set(row.taxedAs, { ...row, base: plus('base'), amount: plus('amount'), surcharge: plus('surcharge') });
  };
  for (const total of totals) {
    if (['input', 'output'].includes(accruedKind(total.kind)) && !isImportInvoice(total)) add(buildRow(total));
  }
  for (const total of totals.filter(({ kind }) => accruedKind(kind) === 'surcharge')) {
    const owner = [...rows.values()].find((row) => row.kind === chargedKind(total) && belongs(total, row));
    add({ ...(owner ?? buildRow(total)), base: '0', amount: '0', surcharge: total.amount });
  }
  return [...rows.values()].toSorted(byKind);
}

function buildRow({ kind, groupId, rate, operation, use, rectifying, base, amount }: TaxTotal): VatRow {
  const borne = accruedKind(kind) === 'input';
  return {
    kind: borne ? (isPending(kind) ? 'soportado_pendiente' : 'soportado') : chargedKind({ kind, operation }),
    groupId,
    rate: decimal(rate).toFixed(),
    operation,
    use: borne ? use : null,
    rectifying,
    base,
    amount,
    surcharge: '0',
    taxedAs: taxedAs({ kind, groupId, rate, operation, use, rectifying }),
  };
}

/** The value of the filter `taxedAs` of journal entries that finds lines taxed in a way. */
export function taxedAs({
  kind,
  operation,
  use,
  rectifying,
  rate,
  groupId,
}: Pick<TaxTotal, 'kind' | 'operation' | 'use' | 'rectifying' | 'rate' | 'groupId'>): string {
  const borne = accruedKind(kind) === 'input' ? use : '';
  return [kind, operation, borne, rectifying, decimal(rate).toFixed(), groupId ?? ''].join(':');
}

function chargedKind({ kind, operation }: Pick<TaxTotal, 'kind' | 'operation'>): VatRow['kind'] {
  if (isUnionScheme(operation)) return 'repercutido_oss';
  return isPending(kind) ? 'repercutido_pendiente' : 'repercutido';
}

function belongs(surcharge: TaxTotal, row: VatRow): boolean {
  const { groupId, operation, rectifying } = surcharge;
  return row.groupId === groupId && row.operation === operation && row.rectifying === rectifying;
}

function byKind(a: VatRow, b: VatRow): number {
  return (
    VAT_KINDS.indexOf(a.kind) - VAT_KINDS.indexOf(b.kind) ||
    decimal(b.rate).cmp(a.rate) ||
    (a.taxedAs < b.taxedAs ? -1 : 1)
  );
}

export interface VatSummary {
  readonly repercutido: VatAmounts;
  /** Deductible tax borne. */
  readonly soportado: VatAmounts;
  /** Tax borne that is lost. */
  readonly notDeductible: VatAmounts;
  /** Tax charged less tax deducted. */
  readonly balance: Decimal;
}

export function vatSummary(rows: readonly VatRow[]): VatSummary {
  const of = (chosen: (row: VatRow) => boolean): VatAmounts => {
    const added = (column: keyof VatAmounts) => sum(rows.filter(chosen).map((row) => row[column])).toFixed();
    return { base: added('base'), amount: added('amount'), surcharge: added('surcharge') };
  };
  const repercutido = of(({ kind }) => kind === 'repercutido');
  const soportado = of(({ kind, use }) => kind === 'soportado' && use !== 'none');
  const notDeductible = of(({ use }) => use === 'none');
  const balance = sum([repercutido.amount, repercutido.surcharge]).minus(soportado.amount).toFixed();
  return { repercutido, soportado, notDeductible, balance };
}
