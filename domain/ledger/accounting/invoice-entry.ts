/**
 * Builds the entry of a posted invoice (PGC): the amount due on the partner's account, net amounts by income or expense
 * account, taxes by rate and operation, and withholding.
 */

import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';
import type { MarginTax } from '../../trade/documents/margin.ts';
import { pendingLine } from './cash-basis.ts';
import { borneTax } from './deduction.ts';
import { type EntryLine, entryLine, type LineTax, type Side } from './entries.ts';
import type { InvoiceLineToEnter, InvoiceToEnter, TaxAccounts } from './invoice.ts';
import { groupTreatments, rateText, type Treatment } from './treatments.ts';

/**
 * Builds the entry.
 * @returns balanced lines: one with the partner and the total (even 0), then income or expense, taxes, withholding
 */
export function buildInvoiceLines(invoice: InvoiceToEnter): EntryLine[] {
  const own: Side = invoice.side === 'sales' ? 'credit' : 'debit';
  const other: Side = own === 'credit' ? 'debit' : 'credit';
  const groups = groupTreatments(invoice).map((treatment) => enterTreatment(invoice, own, treatment));
  const bases = mergeParts(groups.flatMap((group) => group.bases)).map(({ accountId, amount, ...more }) =>
    entryLine(own, accountId, amount, more),
  );
  const rest = [...bases, ...groups.flatMap((group) => group.taxes), ...withheld(invoice, other)];
  const said = rest.filter(({ debit, credit, tax }) => tax !== null || debit !== '0' || credit !== '0');
  const partner = entryLine(other, invoice.partnerAccountId, invoice.total, { partnerId: invoice.partnerId });
  const lines = said.length > 0 ? said : rest.slice(0, 1);
  const { pending = null } = invoice;
  return [partner, ...(pending === null ? lines : lines.map((line) => pendingLine(line, pending)))];
}

function withheld({ withholdings, rectifying }: InvoiceToEnter, side: Side): EntryLine[] {
  return withholdings.map(({ rate, base, amount, accountId }) => {
    const said = { operation: 'domestic', use: 'current', rectifying, groupId: null } as const;
    return entryLine(side, accountId, amount, { tax: { kind: 'withholding', ...said, rate, base, amount } });
  });
}

/** An amount on an income or expense account. */
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

/**
 * Builds the bases and taxes of a treatment.
 * @param own side of income or expense, and of the taxes charged on the invoice
 */
function enterTreatment(invoice: InvoiceToEnter, own: Side, treatment: Treatment): Entered {
  const accounts = invoice.taxAccounts.get(treatment.taxGroupId);
  if (accounts === undefined) throw new Error(`the tax ${treatment.taxGroupId} is unknown`);
  if (invoice.side === 'sales' && treatment.operation === 'margin') return enterMargin(invoice, treatment, accounts);
  const taxes = computeTaxes(invoice, treatment);
  if (isNothing(taxes.main) && isNothing(taxes.surcharge)) {
    // A base without tax must still be declared.
    return { bases: assignAmounts(treatment, ({ amount }) => ({ ...taxes.main, base: amount })), taxes: [] };
  }
  const owed = treatment.selfCharge === null ? [] : owedLines(accounts, taxes);
  if (invoice.side === 'purchase') {
    const deducted = deductedLines(accounts, taxes, treatment, invoice.places);
    return { bases: computeCosts(treatment, taxes.main), taxes: [...deducted, ...owed] };
  }
  const surcharge = isNothing(taxes.surcharge) ? [] : [taxLine(own, accounts.surcharge, taxes.surcharge)];
  return {
    bases: assignAmounts(treatment, () => null),
    taxes: [taxLine(own, accounts.output, taxes.main), ...surcharge],
  };
}

/**
 * Builds the income and the tax of sales under the margin scheme. What is not taxed has a base of its own, at no rate, so that all bases
 * add up to the price without tax (LIVA, art. 121.Uno).
 */
function enterMargin({ rectifying }: InvoiceToEnter, treatment: Treatment, { output }: TaxAccounts): Entered {
  const { operation, use, taxGroupId: groupId, lines } = treatment;
  const said = { kind: 'output', operation, use, rectifying, groupId } as const;
  const margins = lines.map((line) => line.margin ?? NO_MARGIN);
  const total = (values: readonly Decimal[]) => sum(values).toFixed();
  const main: LineTax = {
    ...said,
    rate: margins[0]?.rate ?? '0',
    base: total(margins.map(({ base }) => base)),
    amount: total(margins.map(({ amount }) => amount)),
  };
  const bases = lines.map((line, index) => {
    const { base, amount: tax } = margins[index] ?? NO_MARGIN;
    const amount = decimal(line.amount).minus(tax);
    const untaxed: LineTax = { ...said, rate: '0', base: amount.minus(base).toFixed(), amount: '0' };
    return { ...line, amount: amount.toFixed(), tax: untaxed };
  });
  return { bases: mergeParts(bases), taxes: [taxLine('credit', output, main)] };
}

const NO_MARGIN: MarginTax = { rate: '0', base: '0', amount: '0' };

/** Assigns the amounts of lines to their accounts. */
function assignAmounts({ lines }: Treatment, toTax: (line: InvoiceLineToEnter) => LineTax | null): Base[] {
  return mergeParts(lines.map((line) => ({ ...line, tax: toTax(line) })));
}

/** The cost of purchases including lost tax; if nothing is deducted, the base is declared here. */
function computeCosts({ lines, deduction }: Treatment, main: LineTax): Base[] {
  const none = decimal(deduction.own).eq(0);
  const costs = lines.map((line) => {
    const { amount, lostTax } = line;
    const tax: LineTax = { ...main, use: 'none', base: none ? amount : '0', amount: lostTax };
    return { ...line, amount: sum([amount, lostTax]).toFixed(), tax: none || !isNothing(tax) ? tax : null };
  });
  return mergeParts(costs);
}

/** Builds the lines of deducted tax, with the base. If a buyer loses tax, the equivalence surcharge is lost first. */
function deductedLines(
  accounts: TaxAccounts,
  { main, surcharge, intraEu }: Taxes,
  { lines, deduction }: Treatment,
  places: number,
): EntryLine[] {
  const lost = sum(lines.map(({ lostTax }) => lostTax));
  const lostSurcharge = lost.eq(0) ? '0' : surcharge.amount;
  const amount = decimal(main.amount).minus(lost.minus(lostSurcharge)).toFixed();
  const none = decimal(deduction.own).eq(0);
  const common = deduction.common ? round(decimal(main.amount).times(deduction.own).times('0.01'), places) : '0';
  const subject = decimal(common).eq(amount) ? null : common;
  const deducted: LineTax = { ...main, base: none ? '0' : main.base, amount, subject };
  const rest: LineTax = { ...surcharge, amount: decimal(surcharge.amount).minus(lostSurcharge).toFixed() };
  return [
    ...(none && isNothing(deducted)
      ? []
      : [taxLine('debit', intraEu ? accounts.intraEuInput : accounts.input, deducted)]),
    ...(isNothing(rest) ? [] : [taxLine('debit', accounts.surcharge, rest)]),
  ];
}

interface Taxes {
  readonly main: LineTax;
  readonly surcharge: LineTax;
  readonly intraEu: boolean;
}

/** Computes taxes as charged by the invoice, or as self-assessed by the buyer. */
function computeTaxes({ side, rectifying, places }: InvoiceToEnter, treatment: Treatment): Taxes {
  const { operation, use, taxGroupId: groupId, base } = treatment;
  const said = { operation, use, rectifying, groupId, base };
  const { rate, amount, surchargeRate, surchargeAmount } = borneTax(treatment, places);
  return {
    main: { kind: side === 'sales' ? 'output' : 'input', ...said, rate, amount },
    surcharge: { kind: 'surcharge', ...said, rate: surchargeRate, amount: surchargeAmount },
    intraEu: operation === 'intra_eu_goods' || operation === 'intra_eu_services',
  };
}

/** Builds the lines of self-assessed taxes that the buyer owes. */
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

/** Merges parts with the same account, project, cost center and tax. */
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
