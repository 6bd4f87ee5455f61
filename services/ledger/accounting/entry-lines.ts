/** Checks the lines of a manual entry: references, amounts, and declared taxes. */

import type { Faults } from '../../../domain/faults.ts';
import type { AccountType } from '../../../domain/ledger/accounting/charts/chart.ts';
import { type Dimensions, firstDimensions, type Requirement } from '../../../domain/ledger/accounting/dimensions.ts';
import { enteredTax, matchesRate, type TaxInput } from '../../../domain/ledger/accounting/entered-tax.ts';
import { type EntryLine, inCurrency, type LineTax, type OpenLine } from '../../../domain/ledger/accounting/entries.ts';
import { partnerSide } from '../../../domain/ledger/accounting/partner-accounts.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { periodFault } from '../../../domain/ledger/deferrals/spread.ts';
import { currencyPlaces } from '../../../domain/locale/currencies.ts';
import { type Decimal, decimal, decimalPlaces } from '../../../domain/money.ts';
import { isUnionScheme } from '../../../domain/trade/documents/operations.ts';
import { addClosed, checkRequired } from './dimension-rules.ts';
import type { EntryLineInput } from './schemas.ts';

interface Usable {
  readonly id: string;
  readonly active: boolean;
  readonly code: string;
}

interface UsableAccount extends Usable {
  readonly heading: boolean;
  readonly type: AccountType;
  readonly requires: Requirement;
}

interface Rates {
  readonly id: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly consumptionCountry: string | null;
}

/** Loaded records that lines refer to. */
export interface LineReferences {
  /** Accounting configuration: accounts by the members of their roles. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** Decimal places of amounts. */
  readonly places: number;
  /** The company's currency. */
  readonly currency: string;
  readonly accounts: readonly UsableAccount[] | null;
  readonly partners: readonly Usable[] | null;
  readonly projects: readonly Usable[] | null;
  readonly costCenters: readonly Usable[] | null;
  readonly taxes: readonly Rates[] | null;
}

const ASSIGNMENTS = [
  ['partnerId', 'partners', 'partner'],
  ['projectId', 'projects', 'project'],
  ['costCenterId', 'costCenters', 'cost center'],
] as const;

/** Checks lines and adds faults to `faults`. @returns the lines to enter */
export function checkLines(lines: readonly EntryLineInput[], found: LineReferences, faults: Faults): EntryLine[] {
  const accounts = byId(found.accounts);
  const others = {
    partners: byId(found.partners),
    projects: byId(found.projects),
    costCenters: byId(found.costCenters),
  };
  lines.forEach((line, index) => {
    const pointer = `/lines/${index}`;
    const account = accounts.get(line.accountId);
    if (!account) faults.add(`${pointer}/accountId`, 'invalid_reference', 'refers to an account that does not exist');
    else if (account.heading)
      faults.add(`${pointer}/accountId`, 'heading_account', `account ${account.code} is a heading`);
    else if (!account.active)
      faults.add(`${pointer}/accountId`, 'inactive_account', `account ${account.code} is inactive`);
    for (const [member, table, words] of ASSIGNMENTS) {
      const id = line[member];
      if (id === undefined || id === null) continue;
      const other = others[table].get(id);
      if (!other) faults.add(`${pointer}/${member}`, 'invalid_reference', `refers to a ${words} that does not exist`);
      else if (other.active) continue;
      else if (member === 'partnerId')
        faults.add(`${pointer}/${member}`, 'invalid_reference', 'refers to an inactive partner');
      else addClosed(faults, member, other.code, `${pointer}/${member}`);
    }
    checkAmounts(line, pointer, found.places, faults);
  });
  return enteredLines(lines, found, faults);
}

/** Gives lines on accounts of income or expense the default dimensions, where they name none. */
export function withDimensions(
  lines: readonly EntryLineInput[],
  found: Pick<LineReferences, 'accounts'>,
  defaults: Dimensions,
): EntryLineInput[] {
  const accounts = byId(found.accounts);
  return lines.map((line) => {
    const type = accounts.get(line.accountId)?.type;
    return type === 'income' || type === 'expense' ? { ...line, ...firstDimensions(line, defaults) } : line;
  });
}

/** Checks that lines name the cost centers and projects that their accounts require, and adds faults to `faults`. */
export function checkRequirements(
  lines: readonly EntryLineInput[],
  { accounts }: Pick<LineReferences, 'accounts'>,
  faults: Faults,
): void {
  const requiring = byId(accounts?.filter(({ requires }) => requires !== 'none') ?? null);
  if (requiring.size === 0) return;
  lines.forEach(({ accountId, costCenterId = null, projectId = null }, index) => {
    const account = requiring.get(accountId);
    if (account !== undefined) checkRequired(account, { costCenterId, projectId }, `/lines/${index}`, faults);
  });
}

function checkAmounts(line: EntryLineInput, pointer: string, places: number, faults: Faults): void {
  const given = (['debit', 'credit'] as const).filter((side) => (line[side] ?? 0) !== 0);
  if (given.length === 0) faults.add(`${pointer}/debit`, 'required', 'give a debit or a credit greater than zero');
  if (given.length === 2) faults.add(`${pointer}/credit`, 'both_sides', 'must not have both a debit and a credit');
  for (const side of given) {
    const value = line[side] as number;
    if (value < 0) faults.add(`${pointer}/${side}`, 'out_of_range', 'must be greater than zero: use the other side');
    if (decimalPlaces(value) > places) {
      faults.add(`${pointer}/${side}`, 'too_many_decimals', `must have at most ${places} decimals`);
    }
  }
}

function enteredLines(lines: readonly EntryLineInput[], found: LineReferences, faults: Faults): EntryLine[] {
  const { places } = found;
  const taxes = byId(found.taxes);
  const accounts = byId(found.accounts);
  return lines.map((line, index) => {
    const sides = { debit: decimal(line.debit ?? 0).toFixed(), credit: decimal(line.credit ?? 0).toFixed() };
    const { accountId, partnerId = null, projectId = null, costCenterId = null, description = null } = line;
    const open = openLine(line, accounts.get(accountId), found.config ?? {}, { pointer: `/lines/${index}`, faults });
    const tax = line.tax
      ? checkedTax(line.tax, sides, taxes, { pointer: `/lines/${index}/tax`, places, faults })
      : null;
    const entered = { accountId, ...sides, money: false, partnerId, projectId, costCenterId, description, tax };
    const original = originalAmount(line, entered, open, {
      currency: found.currency,
      pointer: `/lines/${index}`,
      faults,
    });
    const service = servicePeriod(line, accounts.get(accountId), { pointer: `/lines/${index}`, faults });
    return { ...entered, ...original, ...service, ...(open === null ? {} : { open }) };
  });
}

/** The same in another currency, as on a bank account in it. */
function originalAmount(
  { currency, currencyAmount }: EntryLineInput,
  { debit }: Pick<EntryLine, 'debit'>,
  open: OpenLine | null,
  { currency: company, pointer, faults }: { currency: string; pointer: string; faults: Faults },
): Pick<EntryLine, 'inCurrency'> {
  const hasAmount = typeof currencyAmount === 'number';
  if (!currency && !hasAmount) return {};
  const refuse = (code: string, message: string) => faults.add(`${pointer}/currency`, code, message);
  if (!currency) refuse('required', 'is required with currencyAmount');
  else if (!hasAmount) faults.add(`${pointer}/currencyAmount`, 'required', 'is required with currency');
  else if (currency === company) refuse('not_allowed', `must be another than ${company}, the company's own currency`);
  else if (open !== null) refuse('not_allowed', "is not allowed because open items are in the company's currency");
  else if (decimalPlaces(currencyAmount) > currencyPlaces(currency)) {
    const message = `must have at most ${currencyPlaces(currency)} decimals`;
    faults.add(`${pointer}/currencyAmount`, 'too_many_decimals', message);
  } else {
    const amount = decimal(currencyAmount).toFixed();
    return { inCurrency: inCurrency(decimal(debit).gt(0) ? 'debit' : 'credit', currency, amount) };
  }
  return {};
}

/** Checks the service over which a line is spread. */
function servicePeriod(
  { serviceFrom: from = null, serviceTo: to = null }: EntryLineInput,
  account: UsableAccount | undefined,
  { pointer, faults }: { readonly pointer: string; readonly faults: Faults },
): Pick<EntryLine, 'service'> {
  if (from === null && to === null) return {};
  if (from === null) faults.add(`${pointer}/serviceFrom`, 'required', 'is required with serviceTo');
  else if (to === null) faults.add(`${pointer}/serviceTo`, 'required', 'is required with serviceFrom');
  else if (account !== undefined && !RESULT_TYPES.some((type) => type === account.type)) {
    const message = 'cannot be given because the account of the line is neither one of income nor of expense';
    faults.add(`${pointer}/serviceFrom`, 'not_applicable', message);
  } else {
    const fault = periodFault({ from, to });
    if (fault === null) return { service: { from, to } };
    faults.add(`${pointer}/serviceTo`, 'out_of_range', fault);
  }
  return {};
}

const OF_ITEMS = ['dueDate', 'reference', 'settlesId'] as const;

/** Checks the open item that a line with a partner creates or settles. */
function openLine(
  line: EntryLineInput,
  account: Usable | undefined,
  config: Readonly<Record<string, unknown>>,
  { pointer, faults }: { readonly pointer: string; readonly faults: Faults },
): OpenLine | null {
  const direction = account === undefined ? null : partnerSide(account, config);
  const { partnerId, dueDate = null, reference = null, settlesId = null } = line;
  if (direction !== null && partnerId) {
    return { direction, dueDate, reference, settlesId: settlesId?.toLowerCase() ?? null };
  }
  const message = "is allowed only with a partner, on a partner's account (40, 41, 43, 44)";
  for (const member of OF_ITEMS) if (line[member]) faults.add(`${pointer}/${member}`, 'not_allowed', message);
  return null;
}

function checkedTax(
  input: TaxInput,
  sides: { readonly debit: Decimal; readonly credit: Decimal },
  taxes: ReadonlyMap<string, Rates>,
  { pointer, places, faults }: { readonly pointer: string; readonly places: number; readonly faults: Faults },
): LineTax {
  if (decimalPlaces(input.base) > places) {
    faults.add(`${pointer}/base`, 'too_many_decimals', `must have at most ${places} decimals`);
  }
  const group = input.taxGroupId ? taxes.get(input.taxGroupId) : undefined;
  const tax = enteredTax(input, sides, group);
  if (input.taxGroupId && group === undefined) {
    faults.add(`${pointer}/taxGroupId`, 'invalid_reference', 'refers to a tax group that does not exist');
  } else if (group === undefined && input.rate == null) {
    faults.add(`${pointer}/rate`, 'required', 'give the rate, or the tax group that has it');
  } else if (isUnionScheme(tax.operation) !== Boolean(group?.consumptionCountry)) {
    const message = 'must be oss_goods or oss_services with a tax of another member state, and only then';
    faults.add(`${pointer}/operation`, 'not_applicable', message);
  } else if (!matchesRate(tax)) {
    const words = `${decimal(tax.rate).toFixed()} % of it is not the amount of the line, ${tax.amount}`;
    faults.add(`${pointer}/base`, 'out_of_range', words);
  }
  return tax;
}

function byId<T extends { readonly id: string }>(rows: readonly T[] | null): ReadonlyMap<string, T> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}
