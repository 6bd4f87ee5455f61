/**
 * VAT of imported goods, which the customs document charges, not the supplier's invoice (LIVA, arts. 77, 83 and 86).
 */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, distribute, type Exact, round, sum } from '../../money.ts';
import type { Dimensions } from './dimensions.ts';
import { type EntryLine, entryLine, type LineTax } from './entries.ts';
import type { Deduction, LineToTreat } from './invoice.ts';
import { rateText } from './treatments.ts';

/** Source type of the entry of a customs document; its source is the invoice. */
export const CUSTOMS_SOURCE = 'customs_document';

export interface CustomsDocument {
  readonly number: string;
  readonly date: string;
  /** Value of the goods at customs, with duties: the base of the VAT. */
  readonly base: Decimal;
  readonly vatAmount: Decimal;
  /** Whether the VAT is paid with the return (box 77 of model 303) instead of at customs. */
  readonly deferred: boolean;
}

/** A line of imported goods. */
export interface ImportedLine extends Pick<LineToTreat, 'amount' | 'use' | 'taxGroupId' | 'deduction'>, Dimensions {
  /** In percent, as customs charges it. */
  readonly rate: Decimal;
  /** Account of the goods, which also takes lost tax. */
  readonly accountId: string;
}

/** Allows for customs rounding by heading; a larger difference means that base or VAT is wrong. */
const TOLERANCE = '1';

interface RateShare {
  /** Without trailing zeros. */
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/**
 * Divides base and VAT of a customs document between the rates of its goods: the base in proportion to the goods, moved
 * between the lowest and the highest rate as far as the VAT requires.
 * @returns null if no division has that VAT
 */
export function sharesByRate(
  { base, vatAmount }: Pick<CustomsDocument, 'base' | 'vatAmount'>,
  goods: readonly { readonly rate: Decimal; readonly amount: Decimal }[],
  places: number,
): RateShare[] | null {
  const byRate = [...groupBy(goods, ({ rate }) => rateText(rate))]
    .map(([, lines]) => lines)
    .sort(([a], [b]) => decimal(a?.rate ?? '0').cmp(b?.rate ?? '0'));
  const rates = byRate.map(([first]) => decimal(first?.rate ?? '0').toFixed());
  const amounts = byRate.map((lines) => sum(lines.map(({ amount }) => amount)).toFixed());
  const bases = distribute(base, amounts, places).map((part) => decimal(part));
  const rest = () => decimal(vatAmount).minus(sum(bases.map((part, index) => vatAt(part, rates[index] as Decimal))));
  const [low, high] = [0, rates.length - 1];
  if (low !== high) {
    const [lowest, highest] = [bases[low], bases[high]] as [Exact, Exact];
    const difference = decimal(rates[high] as Decimal).minus(rates[low] as Decimal);
    const wanted = decimal(round(rest().times(100).div(difference), places));
    // No more than there is: VAT of a few cents is rounded by more than they can follow.
    const [least, most] = [highest.times(-1), lowest].sort((one, other) => one.cmp(other)) as [Exact, Exact];
    const moved = wanted.lt(least) ? least : wanted.gt(most) ? most : wanted;
    bases[high] = highest.plus(moved);
    bases[low] = lowest.minus(moved);
  }
  const sign = decimal(base).lt(0) ? -1 : 1;
  if (rest().abs().gt(TOLERANCE) || bases.some((part) => part.times(sign).lt(0))) return null;
  const vat = distribute(
    vatAmount,
    bases.map((part, index) => vatAt(part, rates[index] as Decimal).toFixed()),
    places,
  );
  const shares = rates.map((rate, index) => ({
    rate,
    base: (bases[index] as Exact).toFixed(),
    amount: vat[index] as Decimal,
  }));
  return shares.filter((share) => !decimal(share.base).eq(0) || !decimal(share.amount).eq(0));
}

function vatAt(base: Exact, rate: Decimal): Exact {
  return base.times(rate).div(100);
}

export interface CustomsEntry {
  readonly document: CustomsDocument;
  readonly lines: readonly ImportedLine[];
  readonly rectifying: boolean;
  readonly places: number;
  /** Percentage of common tax that is deducted. */
  readonly proRata: Decimal;
  /** Account of deducted tax, and of deferred tax owed, by tax group. */
  readonly taxAccounts: ReadonlyMap<string, { readonly input: string; readonly output: string }>;
  /** Who is owed VAT that is not deferred: customs, or the forwarder that has paid it. */
  readonly payableAccountId: string;
}

/** Builds the entry of a customs document: its VAT, deducted or part of the cost, against who is owed it. */
export function customsLines(entry: CustomsEntry): EntryLine[] {
  const { document, lines, places, payableAccountId } = entry;
  const shares = sharesByRate(document, lines, places) ?? [];
  const made = shares.flatMap((share) => {
    const goods = lines.filter(({ rate }) => rateText(rate) === share.rate);
    const groups = [...groupBy(goods, treatmentKey).values()];
    const amounts = groups.map((group) => sum(group.map(({ amount }) => amount)).toFixed());
    const bases = distribute(share.base, amounts, places);
    const vat = distribute(share.amount, amounts, places);
    return groups.flatMap((group, index) =>
      treatedLines(entry, group, { ...share, base: bases[index] as Decimal, amount: vat[index] as Decimal }),
    );
  });
  if (document.deferred) return made;
  return [...made, entryLine('credit', payableAccountId, document.vatAmount, { description: document.number })];
}

/** Builds the lines of goods that are taxed alike. */
function treatedLines(entry: CustomsEntry, goods: readonly ImportedLine[], share: RateShare): EntryLine[] {
  const { document, rectifying, places, proRata } = entry;
  const { use, taxGroupId, deduction } = goods[0] as ImportedLine;
  const accounts = entry.taxAccounts.get(taxGroupId);
  if (accounts === undefined) throw new Error(`the tax ${taxGroupId} is unknown`);
  const said = { operation: 'import', rectifying, groupId: taxGroupId, ...share } as const;
  const none = decimal(deduction.own).eq(0);
  const { deducted, subject } = deductedPart(share.amount, deduction, proRata, places);
  const lost = decimal(share.amount).minus(deducted).toFixed();
  const input: LineTax = { kind: 'input', ...said, use, amount: deducted, subject };
  const cost: LineTax = { kind: 'input', ...said, use: 'none', base: none ? share.base : '0', amount: lost };
  const amounts = goods.map(({ amount }) => amount);
  const [costs, bases] = [lost, cost.base].map((whole) => distribute(whole, amounts, places)) as [Decimal[], Decimal[]];
  return [
    ...(none ? [] : [entryLine('debit', accounts.input, deducted, { tax: input })]),
    ...(none || !decimal(lost).eq(0)
      ? goods.map(({ accountId, costCenterId, projectId }, index) => {
          const part = costs[index] as Decimal;
          const tax = { ...cost, base: bases[index] as Decimal, amount: part };
          return entryLine('debit', accountId, part, { costCenterId, projectId, tax });
        })
      : []),
    ...(document.deferred
      ? [entryLine('credit', accounts.output, share.amount, { tax: { kind: 'output', ...said, use: 'current' } })]
      : []),
  ];
}

function deductedPart(amount: Decimal, { own, common }: Deduction, proRata: Decimal, places: number) {
  const ofOwn = decimal(amount).times(own).times('0.01');
  const deducted = round(common ? ofOwn.times(proRata).times('0.01') : ofOwn, places);
  const subject = common ? round(ofOwn, places) : '0';
  return { deducted, subject: decimal(subject).eq(deducted) ? null : subject };
}

function treatmentKey({ use, taxGroupId, deduction }: ImportedLine): string {
  return `${use} ${taxGroupId} ${rateText(deduction.own)} ${deduction.common}`;
}
