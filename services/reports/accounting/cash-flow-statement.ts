/** The cash flow statement, compared with the same period a year earlier (decision 0362). */
import { Type } from 'typebox';
import { yearEarlier } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { cashFlowStatement } from '../../../domain/reports/accounting/cash-flow-statement.ts';
import type { CashFlowForm } from '../../../domain/reports/accounting/forms/cash-flow-form.ts';
import { SPANISH_CASH_FLOW } from '../../../domain/reports/accounting/forms/es-cash-flow.ts';
import type { FilledHeading } from '../../../domain/reports/accounting/headings.ts';
import type { Span as Days } from '../../../domain/reports/engine/periods.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import {
  type AccountBalance,
  readBalances,
  readTaxBalances,
  type Span,
  type TaxBalance,
} from '../../ledger/accounting/balances/read.ts';
import { amount, day } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { sectionTable } from '../engine/sections.ts';
import { balanceIn, HEADINGS, headingAccount, headingToJson } from './annual-accounts.ts';

/** Forms by the country of the chart. */
const FORMS: Readonly<Record<string, CashFlowForm>> = { ES: SPANISH_CASH_FLOW };

const PERIODS = ['now', 'before'] as const;
const NAMES = {
  begin: { es: 'Efectivo o equivalentes al comienzo', en: 'Cash at the beginning' },
  opened: { es: 'Asientos de apertura del período', en: 'Opening entries of the period' },
  end: { es: 'Efectivo o equivalentes al final (E + F)', en: 'Cash at the end (E + F)' },
} as const satisfies Readonly<Record<string, Texts>>;
const TITLES = { previous: { en: 'A year earlier', es: 'Un año antes' } };

export const cashFlowStatementReport = defineReport({
  name: 'cash-flow-statement',
  title: { en: 'Cash flow statement', es: 'Estado de flujos de efectivo' },
  description:
    'By the indirect method and the headings of the PGC, beside the same period a year earlier: from the result before tax to the change ' +
    'of cash in the ledger. For charts of accounts of Spain.',
  area: 'accounting',
  parameters: RANGE,
  problems: ['invalid_transition'],
  consistent: true,
  data: Type.Object({ previous_from: day(), previous_to: day(), sections: HEADINGS }),
  summary: Type.Object({
    operating: amount({ description: 'Flows of operating activities' }),
    investing: amount({ description: 'Flows of investing activities' }),
    financing: amount({ description: 'Flows of financing activities' }),
    exchange: amount({ description: 'Effect of changes in exchange rates' }),
    net_change: amount({ description: 'Change of cash in the period' }),
    opening_cash: amount({ description: 'Cash at the beginning of the period, with opening entries of its first day' }),
    closing_cash: amount({ description: 'Cash at the end of the period' }),
  }),
  check({ accountChart }) {
    requiredForm(accountChart);
  },
  async read(request) {
    const { reader, ctx, range, language, money, accountChart } = request;
    const form = requiredForm(accountChart);
    const earlier = { from: yearEarlier(range.from), to: yearEarlier(range.to) };
    const { nowMoved, beforeMoved, ...others } = spans(range, earlier);
    const moved = { nowMoved, beforeMoved };
    const { tenantId } = ctx;
    const [balances, taxes] = await Promise.all([
      readBalances(reader, { tenantId, spans: { ...moved, ...others } }),
      readTaxBalances(reader, { tenantId, spans: moved, by: ['accountId'] }),
    ]);
    const ofInvestments = groupBy(taxes.filter(isOfInvestments), ({ accountId }) => accountId);
    const accounts = balances.map(({ accountId: id, code, name, type, sums }) => {
      const tax = ofInvestments.get(id);
      const total = (period: Period, side: 'debit' | 'credit') =>
        sum((tax ?? []).map((each) => each.sums[`${period}Moved`][side])).toFixed();
      return {
        ...{ id, code, name, type, moves: PERIODS.map((period) => sums[`${period}Moved`]) },
        investmentTax:
          tax && PERIODS.map((period) => ({ debit: total(period, 'debit'), credit: total(period, 'credit') })),
      };
    });
    const flows = cashFlowStatement(accounts, PERIODS.length, form, language);
    const cash = balances.filter(({ code }) => form.cash.some((prefix) => code.startsWith(prefix)));
    const sections = [...flows, ...cashSections(cash, flows.at(-1)?.amounts ?? [], language)];
    const first = (code: string) => money(sections.find((section) => section.code === code)?.amounts[0] ?? '0');
    return {
      data: {
        previous_from: earlier.from,
        previous_to: earlier.to,
        sections: sections.map((section) => headingToJson(section, { money, range })),
      },
      summary: {
        operating: first('A'),
        investing: first('B'),
        financing: first('C'),
        exchange: first('D'),
        net_change: first('E'),
        opening_cash: first('F'),
        closing_cash: first('H'),
      },
    };
  },
  file({ data }) {
    return { tables: [sectionTable({ sections: data.sections, titles: TITLES })] };
  },
});

/** The form of a chart; undefined if there is none. */
export function cashFlowForm({ country }: ReportRequest['accountChart']): CashFlowForm | undefined {
  return FORMS[country ?? ''];
}

/** @throws ServiceError invalid_transition for charts without a form */
function requiredForm(chart: ReportRequest['accountChart']): CashFlowForm {
  const form = cashFlowForm(chart);
  if (form !== undefined) return form;
  throw new ServiceError(
    'invalid_transition',
    'There is no cash flow statement because the chart of accounts is not one of Spain',
  );
}

/** Whether a supplier is owed the tax with the price of an investment; customs and the company itself charge it otherwise. */
function isOfInvestments({ taxKind, taxUse, taxOperation }: TaxBalance<never>): boolean {
  const isInput = taxKind === 'input' || taxKind === 'pending_input';
  return isInput && taxUse === 'investment' && (taxOperation === 'domestic' || taxOperation === 'cash_basis');
}

type Period = (typeof PERIODS)[number];
type SpanName = `${Period}${'Moved' | 'Earlier' | 'Opened' | 'End'}`;

/**
 * Moves of accounts in the period and in the one of comparison, and their balances at the beginning, after the opening entries of the first
 * day, and at the end.
 */
function spans(range: Days, earlier: Days): Record<SpanName, Span> {
  const moved = ({ from, to }: Days): Span => ({ from, to, kinds: 'normal' });
  const opened = ({ from }: Days): Span => ({ from, to: from, kinds: 'opening' });
  const end = ({ to }: Days): Span => ({ to, kinds: 'unclosed' });
  return {
    ...{ nowMoved: moved(range), nowEarlier: { before: range.from }, nowOpened: opened(range), nowEnd: end(range) },
    ...{ beforeMoved: moved(earlier), beforeEarlier: { before: earlier.from } },
    ...{ beforeOpened: opened(earlier), beforeEnd: end(earlier) },
  };
}

/** Cash at the beginning and at the end, and between them what opening entries of later days have brought, if any. */
function cashSections(
  accounts: readonly AccountBalance<SpanName>[],
  change: readonly Decimal[],
  language: ReportRequest['language'],
): FilledHeading[] {
  const heading = (
    code: string,
    name: Texts,
    amountIn: (account: AccountBalance<SpanName>, period: Period) => Decimal,
  ) => {
    const own = accounts.map((account) => ({
      ...headingAccount(account, []),
      amounts: PERIODS.map((period) => amountIn(account, period)),
    }));
    const amounts = PERIODS.map((_, index) => sum(own.map((account) => account.amounts[index] as Decimal)).toFixed());
    return { code, name: `${code}) ${name[language]}`, amounts, children: [], accounts: own };
  };
  const begin = heading('F', NAMES.begin, (account, period) =>
    sum([balanceIn(account, `${period}Earlier`), balanceIn(account, `${period}Opened`)]).toFixed(),
  );
  const end = heading('H', NAMES.end, (account, period) => balanceIn(account, `${period}End`));
  const opened = PERIODS.map((_, index) =>
    decimal(end.amounts[index] as Decimal)
      .minus(begin.amounts[index] as Decimal)
      .minus(change[index] as Decimal)
      .toFixed(),
  );
  const between = { code: 'G', name: `G) ${NAMES.opened[language]}`, amounts: opened, children: [], accounts: [] };
  return [begin, ...(opened.every((amount) => decimal(amount).eq(0)) ? [] : [between]), end];
}
