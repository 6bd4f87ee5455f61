/** Places the books of a company of a group on the accounts of its parent, in the parent's currency. */
import { ServiceError } from '../../errors.ts';
import type { Amounts, PlacedAccount, PlacedCompany } from './companies.ts';
import type { GroupAccount } from './items.ts';
import type { AccountMap } from './mapping.ts';
import type { OwnLines } from './own-accounts.ts';
import { at, type ForeignAccount, type MonthAmounts, translate, translationLines } from './translation.ts';

/** An account of a company with its balances, debit − credit. */
export interface BookAccount extends GroupAccount, Amounts {
  readonly id: string;
  /** For income and expense of a company with another currency. */
  readonly months: readonly MonthAmounts[];
}

/** The part of an account that is about another company of the group. */
export interface BookMutual extends Omit<BookAccount, 'id'> {
  /** Id of that company. */
  readonly other: string;
}

export interface CompanyBooks {
  readonly accounts: readonly BookAccount[];
  readonly mutual: readonly BookMutual[];
}

/** How a company is in the group. Its acquired equity is in its own currency. */
interface Standing extends Pick<PlacedCompany, 'ownershipPercent' | 'investment' | 'acquiredEquity' | 'rates'> {
  readonly name: string;
}

export interface Placing {
  /** Columns by ids of companies. */
  readonly columns: ReadonlyMap<string, number>;
  /** Decimals of amounts. */
  readonly places: number;
  readonly lines: OwnLines;
}

/** Codes that a refusal names. */
const MOST_CODES = 20;
const NOTHING: Amounts = { end: '0', year: '0', period: '0' };

/**
 * Places the books of a company.
 * @param map null for the parent, whose accounts are the ones
 * @throws ServiceError invalid_transition for accounts that stand on none
 */
export function placeBooks(
  { accounts, mutual }: CompanyBooks,
  map: AccountMap | null,
  { name, ownershipPercent, investment, acquiredEquity, rates }: Standing,
  { columns, places, lines }: Placing,
): PlacedCompany {
  const target = map === null ? (account: GroupAccount) => account : (account: GroupAccount) => map.find(account);
  assertPlaced(name, [...accounts, ...mutual], target);
  const place = <One extends GroupAccount>(one: One) => ({ ...one, account: target(one) as GroupAccount });
  const inParents = (one: ForeignAccount): Amounts => (rates === null ? one : translate(one, rates, places));
  const own = accounts.map(place);
  const translated = own.map((one): PlacedAccount => {
    const { account, id, code } = one;
    return { account, source: { id, code }, ...amounts(inParents(one)) };
  });
  const byCode = new Map(own.map(({ code }, index) => [code, translated[index]]));
  return {
    ...{ ownershipPercent, investment, rates },
    acquiredEquity:
      rates === null || acquiredEquity === null ? acquiredEquity : at(acquiredEquity, rates.joined, places),
    accounts: rates === null ? translated : [...translated, ...translationLines(own, translated, rates, places, lines)],
    // An account without a balance of its own may still have one with each of several partners.
    mutual: mutual.map(place).map((one) => ({
      account: one.account,
      ...amounts(inParents(one)),
      other: columns.get(one.other) as number,
      own: byCode.get(one.code) ?? NOTHING,
    })),
  };
}

function amounts({ end, year, period }: Amounts): Amounts {
  return { end, year, period };
}

/** @throws ServiceError invalid_transition */
function assertPlaced(
  name: string,
  accounts: readonly GroupAccount[],
  target: (account: GroupAccount) => GroupAccount | undefined,
): void {
  const codes = [...new Set(accounts.filter((account) => target(account) === undefined).map(({ code }) => code))];
  if (codes.length === 0) return;
  const listed = codes.slice(0, MOST_CODES).join(', ') + (codes.length > MOST_CODES ? ' …' : '');
  const how = 'map them with POST /api/group-account-mappings';
  throw new ServiceError(
    'invalid_transition',
    `${name} has accounts that stand on none of this company: ${listed}; ${how}`,
  );
}
