/**
 * The entry of a posted invoice (PGC): the partner with what is to be paid, each account of income or expense with its net
 * amounts, the taxes by rate and operation, what is withheld.
 */
import { type Decimal, decimal, round, sum } from '../money.ts';
import { type EntryLine, entryLine, type LineTax, type Side } from './entries.ts';
import { isSelfCharged, type TaxOperation } from './operations.ts';

/** The accounts of one tax; what it does not name has been filled with the company's own. */
export interface TaxAccounts {
  readonly output: string;
  readonly input: string;
  readonly surcharge: string;
  readonly intraEuOutput: string;
  readonly intraEuInput: string;
}

export interface InvoiceLineToEnter {
  /** Of income or expense. */
  readonly accountId: string;
  readonly amount: Decimal;
  readonly operation: TaxOperation;
  /** current, investment, none (the tax cannot be deducted). */
  readonly use: string;
  readonly taxGroupId: string;
  /** As charged on the invoice. */
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
}

export interface ChargedTax {
  readonly taxGroupId: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount: Decimal;
}

export interface InvoiceToEnter {
  readonly side: 'sales' | 'purchase';
  readonly rectifying: boolean;
  /** Decimals of amounts. */
  readonly places: number;
  readonly partnerId: string;
  readonly partnerAccountId: string;
  readonly total: Decimal;
  readonly lines: readonly InvoiceLineToEnter[];
  /** One for each tax, rate and surcharge of the lines. */
  readonly taxes: readonly ChargedTax[];
  /** The rate that a tax has of itself, whatever was charged, and its accounts. */
  readonly taxGroups: ReadonlyMap<string, { readonly rate: Decimal; readonly accounts: TaxAccounts }>;
  readonly withholding: {
    readonly rate: Decimal;
    readonly base: Decimal;
    readonly amount: Decimal;
    readonly accountId: string;
  };
}

/**
 * @returns lines that balance: the partner's first, with the invoice's total (also where it is 0), then income or expense, taxes, withholding
 */
export function invoiceEntry(invoice: InvoiceToEnter): EntryLine[] {
  const own: Side = invoice.side === 'sales' ? 'credit' : 'debit';
  const other: Side = own === 'credit' ? 'debit' : 'credit';
  const groups = treatmentsOf(invoice).map((group) => enterTreatment(invoice, own, group));
  const { rate, base, amount, accountId } = invoice.withholding;
  const withheld: LineTax = {
    kind: 'withholding',
    operation: 'domestic',
    use: 'current',
    rectifying: invoice.rectifying,
    groupId: null,
    rate,
    base,
    amount,
  };
  const bases = merged(groups.flatMap((group) => group.bases)).map(({ accountId: account, amount: value, ...more }) =>
    entryLine(own, account, value, more),
  );
  const rest = [
    ...bases,
    ...groups.flatMap((group) => group.taxes),
    ...(decimal(rate).eq(0) ? [] : [entryLine(other, accountId, amount, { tax: withheld })]),
  ];
  const said = rest.filter(({ debit, credit, tax }) => tax !== null || debit !== '0' || credit !== '0');
  const partner = entryLine(other, invoice.partnerAccountId, invoice.total, { partnerId: invoice.partnerId });
  return [partner, ...(said.length > 0 ? said : rest.slice(0, 1))];
}

/** Lines that are taxed alike. */
interface Treatment {
  readonly lines: readonly InvoiceLineToEnter[];
  readonly operation: TaxOperation;
  readonly use: string;
  readonly taxGroupId: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount: Decimal;
}

/** A tax was rounded once for the invoice; where its lines are treated differently, the last take what the others leave. */
function treatmentsOf({ lines, taxes, places }: InvoiceToEnter): Treatment[] {
  const byTax = grouped(lines, (line) => taxKey(line.taxGroupId, line.taxRate, line.surchargeRate));
  return taxes.flatMap((tax) => {
    const { taxGroupId, rate, surchargeRate } = tax;
    const treated = grouped(
      byTax.get(taxKey(taxGroupId, rate, surchargeRate)) ?? [],
      (line) => `${line.operation} ${line.use}`,
    );
    const groups = [...treated.values()];
    const bases = groups.map((group) => sum(group.map((line) => line.amount)).toFixed());
    const amounts = shared(tax.amount, bases, places);
    const surcharges = shared(tax.surchargeAmount, bases, places);
    return groups.map((group, index): Treatment => {
      const { operation, use } = group[0] as InvoiceLineToEnter;
      const [base, amount, surchargeAmount] = [bases, amounts, surcharges].map((parts) => parts[index] ?? '0') as [
        Decimal,
        Decimal,
        Decimal,
      ];
      return { lines: group, operation, use, taxGroupId, rate, surchargeRate, base, amount, surchargeAmount };
    });
  });
}

interface Base {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly amount: Decimal;
  readonly tax: LineTax | null;
}

function enterTreatment(
  invoice: InvoiceToEnter,
  own: Side,
  treatment: Treatment,
): { bases: Base[]; taxes: EntryLine[] } {
  const { side, rectifying, places, taxGroups } = invoice;
  const { operation, use, taxGroupId: groupId, base } = treatment;
  const group = taxGroups.get(groupId);
  if (group === undefined) throw new Error(`the tax ${groupId} is not known`);
  const { accounts } = group;
  const said = { operation, use, rectifying, groupId, base };
  const kind = side === 'sales' ? 'output' : 'input';
  const bases = merged(treatment.lines.map((line) => ({ ...line, tax: null })));
  const line = (on: Side, accountId: string, tax: LineTax) => entryLine(on, accountId, tax.amount, { tax });
  const selfCharged = isSelfCharged(side, operation);
  const rate = selfCharged ? group.rate : treatment.rate;
  const amount = selfCharged ? round(decimal(base).times(rate).times('0.01'), places) : treatment.amount;
  const tax: LineTax = { kind, ...said, rate, amount };
  const charged: LineTax = { kind: 'output', ...said, rate, amount };
  const surcharge: LineTax = {
    kind: 'surcharge',
    ...said,
    rate: treatment.surchargeRate,
    amount: treatment.surchargeAmount,
  };
  const intraEu = operation === 'intra_eu_goods' || operation === 'intra_eu_services';
  const output = selfCharged ? [line('credit', intraEu ? accounts.intraEuOutput : accounts.output, charged)] : [];
  if (side === 'purchase' && use === 'none') {
    const cost = sum([amount, treatment.surchargeAmount]).toFixed();
    return { bases: withCost(bases, cost, { ...tax, amount: cost }, places), taxes: output };
  }
  // Without tax there is still a base to declare.
  if (decimal(amount).eq(0) && decimal(treatment.surchargeAmount).eq(0)) {
    return { bases: bases.map((part) => ({ ...part, tax: { ...tax, base: part.amount } })), taxes: [] };
  }
  const input = intraEu ? accounts.intraEuInput : accounts.input;
  const main = line(own, side === 'sales' ? accounts.output : input, tax);
  const extra = decimal(treatment.surchargeAmount).eq(0) ? [] : [line(own, accounts.surcharge, surcharge)];
  return { bases, taxes: [main, ...extra, ...output] };
}

/** A tax that cannot be deducted is part of the cost, shared by the amounts of the accounts. */
function withCost(bases: readonly Base[], cost: Decimal, tax: LineTax, places: number): Base[] {
  const shares = shared(
    cost,
    bases.map((part) => part.amount),
    places,
  );
  return bases.map((part, index) => {
    const share = shares[index] ?? '0';
    const amount = sum([part.amount, share]).toFixed();
    return { ...part, amount, tax: { ...tax, base: part.amount, amount: share } };
  });
}

/** Shares an amount by the given weights, rounded so that the shares add up to it; the last takes what is left. */
function shared(amount: Decimal, weights: readonly Decimal[], places: number): Decimal[] {
  const whole = sum(weights);
  let weight = decimal(0);
  let given = decimal(0);
  return weights.map((part, index) => {
    weight = weight.plus(part);
    const until =
      index === weights.length - 1 || whole.eq(0)
        ? decimal(index === weights.length - 1 ? amount : 0)
        : decimal(round(decimal(amount).times(weight).div(whole), places));
    const share = until.minus(given);
    given = until;
    return share.toFixed();
  });
}

/** One for each account, project, cost center and what is said about tax. */
function merged(parts: readonly Base[]): Base[] {
  const groups = grouped(parts, (part) =>
    [part.accountId, part.projectId, part.costCenterId, part.tax === null ? '' : taxText(part.tax)].join(' '),
  );
  return [...groups.values()].map((group) => {
    const { accountId, projectId, costCenterId, tax } = group[0] as Base;
    const total = (values: readonly Decimal[]) => sum(values).toFixed();
    return {
      accountId,
      projectId,
      costCenterId,
      amount: total(group.map((part) => part.amount)),
      tax: tax && {
        ...tax,
        base: total(group.map((part) => part.tax?.base ?? '0')),
        amount: total(group.map((part) => part.tax?.amount ?? '0')),
      },
    };
  });
}

function taxText({ kind, operation, use, groupId, rate }: LineTax): string {
  return `${kind} ${operation} ${use} ${groupId} ${decimal(rate).toFixed()}`;
}

function taxKey(groupId: string, rate: Decimal, surchargeRate: Decimal): string {
  return `${groupId} ${decimal(rate).toFixed()} ${decimal(surchargeRate).toFixed()}`;
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
