/** Loads the facts about the company that registering and applying payments need, in one round trip. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { openDimensions } from '../../../db/queries/dimensions.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import type { Dimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { assertOpenFor, isOpenFor, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import type { Decimal } from '../../../domain/money.ts';
import { noPeriodMessage, openYear } from '../../ledger/periods/open-year.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';
import { PLACES } from '../../platform/settings/format.ts';

/** The area of the books that payments, their applications and offsets belong to. */
export const PAYMENT_AREA = 'bank';

export interface Period extends PeriodState {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface PaymentFacts {
  readonly today: string;
  /** Decimals of amounts. */
  readonly places: number;
  /** Decimals of amounts in the company's currency. */
  readonly companyPlaces: number;
  readonly currency: string;
  /** The largest difference that may be written off. */
  readonly writeOffLimit: Decimal;
  readonly periods: readonly Period[];
  readonly partner: { readonly id: string; readonly code: string; readonly name: string } | null;
  /** The named bank account, else the default; null if there is none. */
  readonly bankAccount: {
    readonly id: string;
    readonly accountId: string | null;
    /** Null for the company's. */
    readonly currency: string | null;
    /** For charges on the account. */
    readonly dimensions: Dimensions;
  } | null;
}

const FACTS_SQL = `select ${TODAY} as today,
    ${PLACES} as places, ${PLACES} as "companyPlaces",
    coalesce((select value->>'currency' from settings where name = 'company'), :currency) as currency,
    coalesce((select value->>'writeOffLimit' from settings where name = 'payments'), :limit) as "writeOffLimit",
    (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'from', "from", 'to', "to", 'status', status,
      'lockedAreas', locked_areas)
      order by "from"), '[]') from periods) as periods,
    (select json_build_object('id', id, 'code', code, 'name', name) from partners where id = :partner::uuid) as partner,
    (select json_build_object('id', id, 'accountId', account_id, 'currency', currency,
      'dimensions', ${openDimensions('default_cost_center_id', 'default_project_id')}) from bank_accounts
      where case when :bankAccount::uuid is null then is_default else id = :bankAccount::uuid end) as "bankAccount"`;

/** References of a payment other than documents. */
interface Named {
  readonly partnerId?: string;
  readonly bankAccountId?: string | null;
  /** Date of the entry (default today): its fiscal year is opened with it. */
  readonly date?: string | undefined;
}

export async function loadFacts(trx: Db, ctx: Context, named: Named = {}): Promise<PaymentFacts> {
  const bindings = {
    now: ctx.now.toISOString(),
    currency: DEFAULT_SETTINGS.company.currency,
    limit: String(DEFAULT_SETTINGS.payments.writeOffLimit),
    partner: named.partnerId ?? null,
    bankAccount: named.bankAccountId ?? null,
  };
  const read = () => prepared<PaymentFacts>(trx, FACTS_SQL, bindings);
  let [facts] = await read();
  const date = named.date ?? facts?.today;
  if (facts && date && !periodContaining(facts.periods, date) && (await openYear(trx, ctx, date)))
    [facts] = await read();
  if (facts === undefined) throw new Error('the statement always returns one row');
  return facts;
}

/**
 * The open period of a date.
 * @param pointer of the member with the date
 * @throws ServiceError validation_failed (no period contains the date), period_closed, period_locked
 */
export function openPeriod({ periods }: PaymentFacts, date: string, pointer: string): Period {
  const period = periodContaining(periods, date);
  if (period === undefined) throw invalidMember(pointer, 'no_period', noPeriodMessage(date));
  assertOpenFor(period, PAYMENT_AREA, pointer);
  return period;
}

function periodContaining(periods: readonly Period[], date: string): Period | undefined {
  return periods.find(({ from, to }) => from <= date && date <= to);
}

/**
 * The date on which existing credit is applied: the latest of the payment and its documents if that date is open, else today.
 * @throws ServiceError as `openPeriod`
 */
export function applicationPeriod(facts: PaymentFacts, dates: readonly string[]): { date: string; periodId: string } {
  const latest = [...dates].sort().at(-1) ?? facts.today;
  const period = periodContaining(facts.periods, latest);
  if (period !== undefined && isOpenFor(period, PAYMENT_AREA)) return { date: latest, periodId: period.id };
  return { date: facts.today, periodId: openPeriod(facts, facts.today, '/date').id };
}
