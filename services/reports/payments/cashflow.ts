/** The cash-flow forecast (decision 0176): available money, past movements and expected ones. */
import { Type } from 'typebox';
import { daysAfter } from '../../../domain/days.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import type { Flow } from '../../../domain/reports/payments/cash-flow/expected.ts';
import { buildWeeks, largestFlows, type Week } from '../../../domain/reports/payments/cash-flow/weeks.ts';
import { amount, choice, day, flag, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { readMoney } from './money-flows.ts';

/** Default horizon in weeks, and maximum in days: estimates are made for each month from today on. */
const WEEKS = 13;
const MAX_DAYS = 732;
/** Maximum items per week; the smaller ones are combined. */
const MAX_ITEMS = 200;

const ITEM = Type.Object({
  date: day(),
  source: choice(['invoice', 'open_item', 'credit', 'recurring', 'vat', 'others'], {
    description: 'others: the smaller ones of the week together',
  }),
  document_id: nullable(uuid({ description: 'The invoice, open item or payment' })),
  partner_name: nullable(text()),
  amount: amount({ description: 'Above zero: money that comes' }),
  guess: flag({ description: 'Nobody owes it yet; it is in no inflow, outflow or balance' }),
  drilldown: nullable(text({ max: 500 })),
});

const ROW = Type.Object({
  week_start: day({ description: 'Monday' }),
  inflow: amount({ description: 'Money that comes' }),
  outflow: amount({ description: 'Money that goes' }),
  balance: amount({ description: 'At the end of the week' }),
  guessed: amount({ description: "Total of the week's estimates" }),
  balance_with_guesses: amount({ description: 'At the end of the week, with all guesses until then' }),
  items: Type.Array(ITEM),
});

const TITLES = {
  week_start: { en: 'Week from', es: 'Semana del' },
  inflow: { en: 'Inflow', es: 'Cobros' },
  outflow: { en: 'Outflow', es: 'Pagos' },
  balance: { en: 'Balance', es: 'Saldo' },
  guessed: { en: 'Guessed', es: 'Estimado' },
  balance_with_guesses: { en: 'Balance with guesses', es: 'Saldo con lo estimado' },
};

const MOVED = { en: 'Inflow and outflow', es: 'Cobros y pagos' };

export const cashflow = defineReport({
  name: 'cashflow',
  title: { en: 'Cash-flow forecast', es: 'Previsión de tesorería' },
  description:
    'Money at hand by the week: what came and went until today, and what open invoices, items and credit will bring, on their due dates ' +
    'moved by the habits of each partner. From today for 13 weeks, unless dates are given; at most two years, and two years ahead. ' +
    'Of one partner it has what they pay and are paid, from a balance of 0, without estimates.',
  area: 'accounting',
  parameters: { ...RANGE, partner_id: Type.Optional(uuid()) },
  data: Type.Object({ opening_balance: amount({ description: 'Before the first day' }), rows: Type.Array(ROW) }),
  summary: Type.Object({
    inflow: amount({ description: 'Money that comes' }),
    outflow: amount({ description: 'Money that goes' }),
    balance: amount({ description: 'At the end' }),
    guessed: amount({ description: 'Total of all estimates' }),
    lowest_balance: amount({ description: 'The lowest at the end of a week' }),
  }),
  consistent: true,
  check(request) {
    const { today, from, to } = forecastSpan(request);
    const isPast = from < today;
    const latest = daysAfter(isPast ? from : today, MAX_DAYS);
    if (from > latest) throw refusedParameter('from', 'must not be more than two years after today');
    if (request.params.to === undefined || to <= latest) return;
    throw refusedParameter('to', 'must not be more than two years after from, or after today');
  },
  async read(request) {
    const { reader, ctx, money } = request;
    const { today, from, to } = forecastSpan(request);
    const { opening, settled, flows } = await readMoney(reader, ctx.tenantId, {
      from,
      to,
      today,
      chart: request.accountChart,
      partner: request.params.partner_id ?? null,
    });
    const weeks = buildWeeks({ from, to }, opening, settled, flows);
    const total = (of: (week: Week) => Decimal) => money(sum(weeks.map(of)).toFixed());
    const lowest = weeks.reduce(
      (least, { balance }) => (decimal(balance).lt(least) ? balance : least),
      weeks[0]?.balance ?? opening,
    );
    return {
      from,
      to,
      data: {
        opening_balance: money(opening),
        rows: weeks.map((week) => ({
          week_start: week.start,
          inflow: money(week.inflow),
          outflow: money(week.outflow),
          balance: money(week.balance),
          guessed: money(week.guessed),
          balance_with_guesses: money(week.balanceWithGuesses),
          items: weekItems(week, money),
        })),
      },
      summary: {
        inflow: total(({ inflow }) => inflow),
        outflow: total(({ outflow }) => outflow),
        balance: money(weeks.at(-1)?.balance ?? opening),
        guessed: total(({ guessed }) => guessed),
        lowest_balance: money(lowest),
      },
    };
  },
  file: ({ data, summary: { inflow, outflow, guessed } }) => ({
    tables: [{ row: ROW, titles: TITLES, rows: data.rows, totals: { inflow, outflow, guessed } }],
  }),
  charts: ({ data, language }) => {
    const line = (member: 'inflow' | 'outflow' | 'balance') => ({
      name: TITLES[member][language],
      values: data.rows.map((row) => row[member]),
    });
    const categories = data.rows.map((row) => row.week_start);
    return [
      {
        title: MOVED[language],
        kind: 'bar',
        categories,
        series: [line('inflow'), line('outflow')],
      },
      { title: TITLES.balance[language], kind: 'line', categories, series: [line('balance')] },
    ];
  },
});

/** Lists the largest items of a week by day, and combines the others into one. */
function weekItems({ flows, start }: Week, money: (value: Decimal) => number) {
  const { listed, others } = largestFlows(flows, MAX_ITEMS);
  const items = listed.map((flow) => ({
    date: flow.date,
    source: flow.source as Flow['source'] | 'others',
    document_id: flow.id,
    partner_name: flow.partnerName,
    amount: money(flow.amount),
    guess: flow.guess,
    drilldown: flowPath(flow),
  }));
  if (others.length === 0) return items;
  const rest = money(sum(others.map((flow) => flow.amount)).toFixed());
  const common = { document_id: null, partner_name: null, guess: false, drilldown: null };
  return [...items, { date: start, source: 'others' as const, amount: rest, ...common }];
}

function flowPath({ source, id, direction }: Flow): string | null {
  if (source === 'invoice') return `/api/${direction === 'in' ? 'sales' : 'purchases'}/invoices/${id}`;
  if (source === 'open_item') return `/api/open-items/${id}/reconciliation`;
  return source === 'credit' ? `/api/payments/${direction}/${id}` : null;
}

/** The days of the forecast; they begin today unless requested otherwise. */
function forecastSpan({ ctx, params, settings }: ReportRequest<{ readonly from?: string; readonly to?: string }>) {
  const today = localDay(ctx.now, settings.format.timezone);
  const from = params.from ?? (params.to !== undefined && params.to < today ? params.to : today);
  return { today, from, to: params.to ?? daysAfter(from, 7 * WEEKS - 1) };
}
