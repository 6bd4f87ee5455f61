/** Sets the investments in companies off against their equity (decision 0369). */
import { isOfResult } from '../../ledger/accounting/results.ts';
import { type Decimal, decimal, round, sum } from '../../money.ts';
import type { GroupSpan, PlacedAccount, PlacedCompany } from './companies.ts';
import { setOff, shareOfOthers } from './equity.ts';
import type { GroupAccount, GroupItem } from './items.ts';
import { OWN_ACCOUNTS, type OwnLines } from './own-accounts.ts';

interface Place {
  /** Column of the eliminations. */
  readonly column: number;
  readonly places: number;
  readonly lines: OwnLines;
}

/** Sets the investment in a company off against its equity. @param places decimals of amounts */
export function investmentItems(
  member: PlacedCompany,
  parent: PlacedCompany,
  { column, places, lines }: Place,
): { readonly items: GroupItem[]; readonly minorityResult: Decimal } {
  const { investment: account, ownershipPercent } = member;
  const result = resultIn(member, 'year');
  const earlier = minus(resultIn(member, 'end'), result);
  const own = member.accounts.filter(({ account: one }) => one.type === 'equity' && !isTranslation(one));
  const investment = account === null ? null : balanceOn(parent, account);
  const equity = minus(earlier, sum(own.map(({ end }) => end)).toFixed());
  const divided = setOff({ ...member, result, equity, investment }, places);
  const gone = own.map((one) => ({ account: one.account, column, amount: minus('0', one.end), placedBy: one.end }));
  const difference = sum(member.accounts.filter((one) => isTranslation(one.account)).map(({ end }) => end)).toFixed();
  const ofOthers = shareOfOthers(ownershipPercent, difference, places);
  const goodwill = goodwillOnDay(divided.goodwill, member, places);
  return {
    minorityResult: divided.minorityResult,
    items: [
      ...gone,
      ...(account === null || investment === null
        ? []
        : [{ account, column, amount: minus('0', investment), placedBy: investment }]),
      lines.item('goodwill', goodwill, column),
      lines.item('reserves', minus('0', divided.reserves), column),
      lines.item('translation', sum([divided.goodwill, minus('0', goodwill), minus('0', ofOthers)]).toFixed(), column),
      lines.item('minorities', minus(ofOthers, divided.minorities), column),
    ],
  };
}

/** Income less expense. */
export function resultIn({ accounts }: { readonly accounts: readonly PlacedAccount[] }, span: GroupSpan): Decimal {
  const ofResult = accounts.filter(({ account }) => isOfResult(account));
  return sum(ofResult.map((one) => one[span]))
    .neg()
    .toFixed();
}

/** Goodwill belongs to the company that was bought: it is in its currency, at the rate of the last day. */
function goodwillOnDay(goodwill: Decimal, { rates }: PlacedCompany, places: number): Decimal {
  return rates === null ? goodwill : round(decimal(goodwill).times(rates.joined).div(rates.closing), places);
}

function isTranslation({ code }: GroupAccount): boolean {
  return code === OWN_ACCOUNTS.translation.code;
}

function balanceOn({ accounts }: PlacedCompany, { code }: GroupAccount): Decimal {
  return sum(accounts.filter(({ account }) => account.code === code).map(({ end }) => end)).toFixed();
}

export function minus(value: Decimal, less: Decimal): Decimal {
  return decimal(value).minus(less).toFixed();
}
