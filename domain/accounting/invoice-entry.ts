/**
 * The entry of a posted invoice (PGC): the partner with the amount due, each income or expense account with its net amounts, the taxes by
 * rate and operation, and withholding.
 */
import { type Decimal, decimal, round, sum } from '../money.ts';
import { type EntryLine, entryLine, type LineTax, type Side } from './entries.ts';
import type { InvoiceToEnter, TaxAccounts } from './invoice.ts';
import { distribute, groupBy, rateText, type Treatment, treatmentsOf } from './treatments.ts';

/** @returns lines that balance: one with the partner and the total (even 0), then income or expense, taxes, withholding */
export function invoiceEntry(invoice: InvoiceToEnter): EntryLine[] {
  const own: Side = invoice.side === 'sales' ? 'credit' : 'debit';
  const other: Side = own === 'credit' ? 'debit' : 'credit';
  const groups = treatmentsOf(invoice).map((treatment) => enterTreatment(invoice, own, treatment));
  const bases = mergeParts(groups.flatMap((group) => group.bases)).map(({ accountId, amount, ...more }) =>
    entryLine(own, accountId, amount, more),
  );
  const rest = [...bases, ...groups.flatMap((group) => group.taxes), ...withheld(invoice, other)];
  const said = rest.filter(({ debit, credit, tax }) => tax !== null || debit !== '0' || credit !== '0');
  const partner = entryLine(other, invoice.partnerAccountId, invoice.total, { partnerId: invoice.partnerId });
  return [partner, ...(said.length > 0 ? said : rest.slice(0, 1))];
}

function withheld({ withholding, rectifying }: InvoiceToEnter, side: Side): EntryLine[] {
  const { rate, base, amount, accountId } = withholding;
  if (decimal(rate).eq(0)) return [];
  const tax: LineTax = {
    kind: 'withholding',
    operation: 'domestic',
    use: 'current',
    rectifying,
    groupId: null,
    rate,
    base,
    amount,
  };
  return [entryLine(side, accountId, amount, { tax })];
}

/** An amount on an account of income or expense. */
interface Base {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly amount: Decimal;
  readonly tax: LineTax | null;
}

interface Entered {
  readonly bases: Base[];
  readonly taxes: EntryLine[];
}

/** @param own side of income or expense, and of the taxes charged on the invoice */
function enterTreatment(invoice: InvoiceToEnter, own: Side, treatment: Treatment): Entered {
  const accounts = invoice.taxAccounts.get(treatment.taxGroupId);
  if (accounts === undefined) throw new Error(`the tax ${treatment.taxGroupId} is unknown`);
  const bases = mergeParts(treatment.lines.map((line) => ({ ...line, tax: null })));
  const taxes = taxesOf(invoice, treatment);
  const owed = treatment.selfCharge === null ? [] : owedLines(accounts, taxes);
  const bears = [taxes.main, taxes.surcharge].filter(({ amount }) => !decimal(amount).eq(0));
  if (invoice.side === 'purchase' && treatment.use === 'none') {
    const cost = sum(bears.map(({ amount }) => amount)).toFixed();
    return { bases: addTaxCost(bases, { ...taxes.main, amount: cost }, invoice.places), taxes: owed };
  }
  // Without tax there is still a base to declare.
  if (bears.length === 0) {
    return { bases: bases.map((part) => ({ ...part, tax: { ...taxes.main, base: part.amount } })), taxes: [] };
  }
  const input = taxes.intraEu ? accounts.intraEuInput : accounts.input;
  const main = taxLine(own, invoice.side === 'sales' ? accounts.output : input, taxes.main);
  const surcharge = taxLine(own, accounts.surcharge, taxes.surcharge);
  return { bases, taxes: [main, ...(isNothing(taxes.surcharge) ? [] : [surcharge]), ...owed] };
}

interface Taxes {
  readonly main: LineTax;
  readonly surcharge: LineTax;
  readonly intraEu: boolean;
}

/** Taxes as the invoice charges them, or as the buyer self-assesses them. */
function taxesOf({ side, rectifying, places }: InvoiceToEnter, treatment: Treatment): Taxes {
  const { operation, use, taxGroupId: groupId, base, selfCharge } = treatment;
  const said = { operation, use, rectifying, groupId, base };
  const kind = side === 'sales' ? 'output' : 'input';
  const intraEu = operation === 'intra_eu_goods' || operation === 'intra_eu_services';
  if (selfCharge === null) {
    const { rate, amount, surchargeRate, surchargeAmount } = treatment;
    const surcharge: LineTax = { kind: 'surcharge', ...said, rate: surchargeRate, amount: surchargeAmount };
    return { main: { kind, ...said, rate, amount }, surcharge, intraEu };
  }
  const charged = (rate: Decimal) => ({
    ...said,
    rate,
    amount: round(decimal(base).times(rate).times('0.01'), places),
  });
  return {
    main: { kind, ...charged(selfCharge.rate) },
    surcharge: { kind: 'surcharge', ...charged(selfCharge.surchargeRate) },
    intraEu,
  };
}

/** What the buyer owes for self-assessed taxes. */
function owedLines(accounts: TaxAccounts, { main, surcharge, intraEu }: Taxes): EntryLine[] {
  const output = taxLine('credit', intraEu ? accounts.intraEuOutput : accounts.output, { ...main, kind: 'output' });
  return [output, ...(isNothing(surcharge) ? [] : [taxLine('credit', accounts.surcharge, surcharge)])];
}

function taxLine(side: Side, accountId: string, tax: LineTax): EntryLine {
  return entryLine(side, accountId, tax.amount, { tax });
}

function isNothing({ amount }: LineTax): boolean {
  return decimal(amount).eq(0);
}

/** Adds non-deductible tax to the cost, split by the amounts of the accounts. */
function addTaxCost(bases: readonly Base[], cost: LineTax, places: number): Base[] {
  const shares = distribute(
    cost.amount,
    bases.map((part) => part.amount),
    places,
  );
  return bases.map((part, index) => {
    const share = shares[index] as Decimal;
    const amount = sum([part.amount, share]).toFixed();
    return { ...part, amount, tax: { ...cost, base: part.amount, amount: share } };
  });
}

/** One per account, project, cost center and tax information. */
function mergeParts(parts: readonly Base[]): Base[] {
  const groups = groupBy(parts, (part) =>
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
  return `${kind} ${operation} ${use} ${groupId} ${rateText(rate)}`;
}
