/** The trial balance: each account's movements in a period, and its balance at the end. */
import { Type } from 'typebox';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { type AccountBalance, readBalances } from '../../ledger/accounting/balances/read.ts';
import { amount, choice, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { CLOSING_ENTRIES, LEDGER_TITLES } from './ledger-parts.ts';

type Account = AccountBalance<'before' | 'opening' | 'period'>;
type Columns = typeof PLAIN | typeof EIGHT;

/** Debit and credit of the period, and the balance at its end. */
const PLAIN = ['debit', 'credit', 'balance'] as const;
/** The official form: opening balances, movements, their sums, and closing balances; the totals of each pair are equal. */
const EIGHT = [
  'opening_debit',
  'opening_credit',
  'period_debit',
  'period_credit',
  'total_debit',
  'total_credit',
  'balance_debit',
  'balance_credit',
] as const;
type Column = Columns[number];

const AMOUNTS = Object.fromEntries([...PLAIN, ...EIGHT].map((name) => [name, Type.Optional(amount())])) as Record<
  Column,
  ReturnType<typeof Type.Optional<ReturnType<typeof amount>>>
>;
const ROW = Type.Object({ account_id: uuid(), code: text(), name: text(), ...AMOUNTS, drilldown: text({ max: 500 }) });

const chosenColumns = (type: 'plain' | '8col' | undefined): Columns => (type === '8col' ? EIGHT : PLAIN);

export const trialBalance = defineReport({
  name: 'trial-balance',
  title: { en: 'Trial balance', es: 'Balance de sumas y saldos' },
  description:
    'Accounts with a balance or anything entered in the period. The opening entry of the first day is part of the opening balance.',
  area: 'accounting',
  parameters: {
    ...RANGE,
    type: Type.Optional(
      choice(['plain', '8col'], {
        default: 'plain',
        description: 'plain: debit and credit of the period, and the balance; 8col: the official form of eight columns',
      }),
    ),
    ...CLOSING_ENTRIES,
  },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(AMOUNTS),
  async read({ reader, ctx, params, range: { from, to }, money }) {
    const kinds = params.closing_entries === true ? 'all' : 'unclosed';
    const accounts = await readBalances(reader, {
      tenantId: ctx.tenantId,
      spans: { before: { before: from }, opening: { from, to: from, kinds: 'opening' }, period: { from, to, kinds } },
    });
    const columns = chosenColumns(params.type);
    const query = `from=${from}&to=${to}${params.closing_entries === true ? '&closing_entries=true' : ''}`;
    const shown = accounts
      .map((account) => ({ account, amounts: accountAmounts(account) }))
      .filter(({ amounts }) => [...EIGHT].some((name) => !decimal(amounts[name]).eq(0)));
    const pick = (of: (name: Column) => Decimal) => Object.fromEntries(columns.map((name) => [name, money(of(name))]));
    return {
      data: {
        rows: shown.map(({ account: { accountId, code, name }, amounts }) => ({
          account_id: accountId,
          code,
          name,
          ...pick((column) => amounts[column]),
          drilldown: `/api/reports/ledger?account_id=${accountId}&${query}`,
        })),
      },
      summary: pick((column) => sum(shown.map(({ amounts }) => amounts[column])).toFixed()),
    };
  },
  file: ({ params, data, summary }) => ({
    tables: [
      {
        row: ROW,
        columns: ['code', 'name', ...chosenColumns(params.type)],
        titles: TITLES,
        rows: data.rows,
        totals: summary,
      },
    ],
  }),
});

const TITLES = {
  ...LEDGER_TITLES,
  opening_debit: { en: 'Opening debit', es: 'Saldo inicial deudor' },
  opening_credit: { en: 'Opening credit', es: 'Saldo inicial acreedor' },
  period_debit: { en: 'Debit of the period', es: 'Debe del periodo' },
  period_credit: { en: 'Credit of the period', es: 'Haber del periodo' },
  total_debit: { en: 'Total debit', es: 'Suma debe' },
  total_credit: { en: 'Total credit', es: 'Suma haber' },
  balance_debit: { en: 'Balance, debit', es: 'Saldo deudor' },
  balance_credit: { en: 'Balance, credit', es: 'Saldo acreedor' },
} as const;

function accountAmounts({ sums: { before, opening, period } }: Account): Record<Column, Decimal> {
  const start = decimal(before.balance).plus(opening.balance);
  const [debit, credit] = [
    decimal(period.debit).minus(opening.debit).toFixed(),
    decimal(period.credit).minus(opening.credit).toFixed(),
  ];
  const balance = start.plus(debit).minus(credit).toFixed();
  const [openingDebit, openingCredit] = onSides(start.toFixed());
  const [balanceDebit, balanceCredit] = onSides(balance);
  return {
    debit,
    credit,
    balance,
    opening_debit: openingDebit,
    opening_credit: openingCredit,
    period_debit: debit,
    period_credit: credit,
    total_debit: decimal(openingDebit).plus(debit).toFixed(),
    total_credit: decimal(openingCredit).plus(credit).toFixed(),
    balance_debit: balanceDebit,
    balance_credit: balanceCredit,
  };
}

/** Shows a balance as a debit if positive, otherwise as a credit. */
function onSides(balance: Decimal): readonly [Decimal, Decimal] {
  const value = decimal(balance);
  return value.gte(0) ? [value.toFixed(), '0'] : ['0', value.neg().toFixed()];
}
