/** Computes key figures of a company from its account balances, by the groups of its chart. */
import { type AccountChart, type AccountGroup, isIn } from '../../ledger/accounting/charts/chart.ts';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import type { Texts } from '../engine/texts.ts';

/** Balances of an account (debit − credit) over a period, and at its end. */
export interface AccountFigures {
  readonly code: string;
  readonly type: string;
  readonly moved: Decimal;
  readonly standing: Decimal;
}

/** Accounts and costs from which the figures of a period are computed. */
export interface PeriodFigures {
  readonly accounts: readonly AccountFigures[];
  /** Cost of the goods sold; null if the company kept no stock, so that the ledger alone says what its sales cost. */
  readonly soldGoods: Decimal | null;
}

interface Indicator {
  readonly code: string;
  readonly name: Texts;
  readonly unit: 'amount' | 'percent';
  /** The report in which it can be verified. */
  readonly report: 'pl' | 'balance-sheet';
  of(books: Books): Exact;
}

/** Sums accounts by the groups of the chart. */
class Books {
  readonly #accounts: readonly AccountFigures[];
  readonly soldGoods: Decimal | null;

  readonly #chart: Pick<AccountChart, 'groups'>;

  constructor({ accounts, soldGoods }: PeriodFigures, chart: Pick<AccountChart, 'groups'>) {
    this.#chart = chart;
    this.#accounts = accounts;
    this.soldGoods = soldGoods;
  }

  moved(...groups: readonly AccountGroup[]): Exact {
    return sum(this.#of(groups).map(({ moved }) => moved));
  }

  standing(...groups: readonly AccountGroup[]): Exact {
    return sum(this.#of(groups).map(({ standing }) => standing));
  }

  ofTypes(...types: readonly string[]): Exact {
    return sum(this.#accounts.filter(({ type }) => types.includes(type)).map(({ moved }) => moved));
  }

  #of(groups: readonly AccountGroup[]): AccountFigures[] {
    return this.#accounts.filter(({ code }) => groups.some((group) => isIn(this.#chart, group, code)));
  }
}

const revenue = (books: Books) => books.moved('revenue').neg();
/**
 * Sales less what they cost: goods from stock and the work of other companies, or else all purchases, adjusted for the change in stock.
 */
const margin = (books: Books) =>
  books.soldGoods === null
    ? books.moved('revenue', 'production', 'purchases').neg()
    : books.moved('revenue', 'subcontracting').neg().minus(books.soldGoods);

export const INDICATORS: readonly Indicator[] = [
  { code: 'revenue', name: { en: 'Net turnover', es: 'Cifra de negocios' }, unit: 'amount', report: 'pl', of: revenue },
  { code: 'gross_margin', name: { en: 'Gross margin', es: 'Margen bruto' }, unit: 'amount', report: 'pl', of: margin },
  {
    code: 'gross_margin_percent',
    name: { en: 'Gross margin, % of turnover', es: 'Margen bruto, % de la cifra de negocios' },
    unit: 'percent',
    report: 'pl',
    of: (books) => exactPercent(margin(books), revenue(books)),
  },
  {
    code: 'personnel',
    name: { en: 'Personnel expenses', es: 'Gastos de personal' },
    unit: 'amount',
    report: 'pl',
    of: (books) => books.moved('staffCosts'),
  },
  {
    code: 'other_expense',
    name: { en: 'Other expenses', es: 'Otros gastos' },
    unit: 'amount',
    report: 'pl',
    of: (books) => books.ofTypes('expense').minus(books.moved('purchases', 'staffCosts')),
  },
  {
    code: 'result',
    name: { en: 'Result', es: 'Resultado' },
    unit: 'amount',
    report: 'pl',
    of: (books) => books.ofTypes('income', 'expense').neg(),
  },
  {
    code: 'cash',
    name: { en: 'Cash and banks', es: 'Tesorería' },
    unit: 'amount',
    report: 'balance-sheet',
    of: (books) => books.standing('money'),
  },
  {
    code: 'receivables',
    name: { en: 'Customers', es: 'Clientes' },
    unit: 'amount',
    report: 'balance-sheet',
    of: (books) => books.standing('receivables'),
  },
  {
    code: 'payables',
    name: { en: 'Suppliers', es: 'Proveedores' },
    unit: 'amount',
    report: 'balance-sheet',
    of: (books) => books.standing('payables').neg(),
  },
  {
    code: 'vat',
    name: { en: 'VAT to be paid', es: 'IVA por pagar' },
    unit: 'amount',
    report: 'balance-sheet',
    of: (books) => books.standing('vat').neg(),
  },
];

export interface IndicatorValue extends Omit<Indicator, 'of'> {
  readonly value: Decimal;
  readonly previous: Decimal;
  /** null if the previous value was zero. */
  readonly changePercent: Decimal | null;
}

/** Computes all indicators by the groups of a chart, compared with the previous period. */
export function indicators(
  now: PeriodFigures,
  before: PeriodFigures,
  chart: Pick<AccountChart, 'groups'>,
): IndicatorValue[] {
  const [books, earlier] = [new Books(now, chart), new Books(before, chart)];
  return INDICATORS.map(({ of, ...indicator }) => {
    const [value, previous] = [of(books), of(earlier)];
    const changePercent = previous.eq(0) ? null : round(value.minus(previous).div(previous.abs()).times(100), 2);
    return { ...indicator, value: value.toFixed(), previous: previous.toFixed(), changePercent };
  });
}

/** 0–100, to two decimals; 0 if the whole is zero. */
function exactPercent(part: Exact, whole: Exact): Exact {
  return whole.eq(0) ? decimal(0) : decimal(round(part.div(whole).times(100), 2));
}
