/** The register of fixed assets at a day, beside the balances of its accounts. */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { DEPRECIATION_METHODS, type DepreciationMethod } from '../../../domain/ledger/assets/types.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { amount, choice, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';
import { DIMENSION_FILTERS, dimensionBindings, withinDimensions } from './dimension-filters.ts';
import { BY_DIMENSION, DIMENSION_OF_ROW, dividedBy, dividedRows, rowInFile } from './dimension-rows.ts';
import {
  type RegisterAccount,
  registerAccount,
  registerAccountsToJson,
  registerAccountTable,
} from './register-accounts.ts';

const VALUES = {
  cost: amount({ description: 'Cost with improvements' }),
  accumulated: amount({ description: 'Accumulated depreciation' }),
  impairment: amount({ description: 'Impairment' }),
  net_book_value: amount({ description: 'Cost less depreciation and impairment' }),
};
const ROW = Type.Object({
  ...DIMENSION_OF_ROW,
  asset_id: uuid({ description: 'The asset' }),
  code: text(),
  name: text(),
  asset_group: text({ description: 'Code of its group' }),
  acquired_on: day({ description: 'Day of acquisition' }),
  in_use_on: day({ description: 'Day from which it is depreciated' }),
  method: choice(DEPRECIATION_METHODS),
  useful_life_months: nullable(integer({ description: 'Useful life in months' })),
  ...VALUES,
  drilldown: text({ max: 500 }),
});
const ACCOUNT = registerAccount({
  register: 'What all assets have on the account, debit less credit',
  difference: 'Ledger less register: purchases that became no asset yet, and entries by hand',
});

/** Assets that are there at the end of the day, with their values of today less what changed them since: few movements are later. */
const VALUED_SQL = `
  select a.id, a.code, a.name, a.group_id, a.acquired_on, a.in_use_on, a.method, a.useful_life_months, a.project_id, a.cost_center_id,
    a.cost - coalesce(later.cost, 0) as cost, a.accumulated - coalesce(later.accumulated, 0) as accumulated,
    a.impairment - coalesce(later.impairment, 0) as impairment
  from assets a left join (select m.asset_id, sum(m.cost) as cost, sum(m.accumulated) as accumulated, sum(m.impairment) as impairment
    from asset_movements m where m.date > :to::date group by 1) later on later.asset_id = a.id
  where a.cost <> coalesce(later.cost, 0)`;

const ROWS_SQL = `
  select v.id as asset_id, v.code, v.name, g.code as asset_group, v.acquired_on, v.in_use_on, v.method, v.useful_life_months,
    v.cost::text, v.accumulated::text, v.impairment::text, (v.cost - v.accumulated - v.impairment)::text as net_book_value,
    ${dividedBy('v.project_id', 'v.cost_center_id')} as "dimensionId"
  from (${VALUED_SQL}) v join asset_groups g on g.id = v.group_id
  where (:group::uuid is null or v.group_id = :group::uuid) and ${withinDimensions('v.project_id', 'v.cost_center_id')}
  order by v.code`;

/** Accounts with something. A closed year is at zero at its end: its closing entries of that day do not count. */
const ACCOUNTS_SQL = `
  with valued as (select v.group_id, sum(v.cost) as cost, sum(v.accumulated) as accumulated, sum(v.impairment) as impairment
      from (${VALUED_SQL}) v group by 1),
    registered as (select s.account, sum(s.amount) as register from asset_groups g left join valued v on v.group_id = g.id
      cross join lateral (values (g.asset_account_id, coalesce(v.cost, 0)), (g.accumulated_account_id, -coalesce(v.accumulated, 0)),
        (g.impairment_account_id, -coalesce(v.impairment, 0))) as s(account, amount)
      where s.account is not null group by 1),
    compared as (select account, register, coalesce((select sum(l.debit - l.credit) from journal_lines l
      where l.account_id = account and l.date <= :to::date and not (l.kind = 'closing' and l.date = :to::date)), 0) as ledger
      from registered)
  select c.id as account_id, c.code, c.name, r.register::text, r.ledger::text
  from compared r join accounts c on c.id = r.account where r.register <> 0 or r.ledger <> 0 order by c.code`;

type Values = Readonly<Record<keyof typeof VALUES, Decimal>>;

interface FoundAsset extends Values {
  readonly dimensionId: string | null;
  readonly asset_id: string;
  readonly code: string;
  readonly name: string;
  readonly asset_group: string;
  readonly acquired_on: string;
  readonly in_use_on: string;
  readonly method: DepreciationMethod;
  readonly useful_life_months: number | null;
}

export const assetRegister = defineReport({
  name: 'assets',
  title: { en: 'Fixed assets', es: 'Inmovilizado' },
  description:
    'Assets that are there at the end of the day `to`, with their values, and the balances of the accounts of their groups.',
  area: 'accounting',
  parameters: {
    to: RANGE.to,
    group_id: Type.Optional(uuid({ description: 'Only assets of this group' })),
    ...DIMENSION_FILTERS,
    ...BY_DIMENSION,
  },
  data: Type.Object({ rows: Type.Array(ROW), accounts: Type.Array(ACCOUNT) }),
  summary: Type.Object(VALUES),
  ofDay: true,
  consistent: true,
  size: estimateOneRow('assets'),
  async read(request) {
    const { reader, params, range, money } = request;
    const { to } = range;
    const { group_id: group = null, by = null } = params;
    const [read, accounts] = await Promise.all([
      query<FoundAsset>(reader, ROWS_SQL, { to, group, by, ...dimensionBindings(params) }),
      query<RegisterAccount>(reader, ACCOUNTS_SQL, { to }),
    ]);
    const found = await dividedRows(request, read);
    const toFigures = (values: Values) => ({
      cost: money(values.cost),
      accumulated: money(values.accumulated),
      impairment: money(values.impairment),
      net_book_value: money(values.net_book_value),
    });
    const total = (member: keyof Values) => sum(found.map((row) => row[member])).toFixed();
    return {
      data: {
        rows: found.map(({ dimension, ...row }) => ({
          ...dimension,
          ...row,
          ...toFigures(row),
          drilldown: `/api/assets/${row.asset_id}/movements`,
        })),
        accounts: registerAccountsToJson(accounts, to, money),
      },
      summary: toFigures({
        cost: total('cost'),
        accumulated: total('accumulated'),
        impairment: total('impairment'),
        net_book_value: total('net_book_value'),
      }),
    };
  },
  file: ({ params, data, summary }) => ({
    tables: [
      { row: rowInFile(ROW, params), rows: data.rows, totals: summary },
      registerAccountTable(ACCOUNT, data.accounts),
    ],
  }),
});
