/** Prepaid expenses and deferred income at a day, by document and month. */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { DEFERRAL_KINDS, type DeferralKind } from '../../../domain/ledger/deferrals/spread.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { amount, choice, day, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { DIMENSION_FILTERS, dimensionBindings, withinDimensions } from './dimension-filters.ts';
import { BY_DIMENSION, DIMENSION_OF_ROW, dividedBy, dividedRows, rowInFile } from './dimension-rows.ts';

/** Parts that wait at the end of a day; those of one month and document that cancel out are none. */
const SQL = `
  select ${dividedBy('d.project_id', 'd.cost_center_id')} as "dimensionId", d.kind, o.document_id, o.entry_id,
    coalesce(i.code, 'entry ' || e.number) as code, i.partner_id, t.name as partner_name,
    r.code as account_code, a.code as deferral_account_code, min(d.service_from) as service_from, max(d.service_to) as service_to,
    p.date as month_end, sum(p.amount)::text as amount
  from deferral_parts p join deferrals d on d.id = p.deferral_id
  join lateral (select f.document_id, f.entry_id from deferrals f
    where f.document_id = p.origin_id or f.entry_id = p.origin_id limit 1) o on true
  left join documents i on i.id = o.document_id left join partners t on t.id = i.partner_id
  left join journal_entries e on e.id = o.entry_id
  join accounts r on r.id = d.account_id join accounts a on a.id = d.deferral_account_id
  where d.date <= :at::date and (p.recognised_on is null or p.recognised_on > :at::date)
    and ${withinDimensions('d.project_id', 'd.cost_center_id')}
    and (:kind::text is null or d.kind = :kind::text) and (:partner::uuid is null or i.partner_id = :partner::uuid)
  group by 1, d.kind, o.document_id, o.entry_id, p.origin_id, i.code, e.number, i.partner_id, t.name, r.code, a.code, p.date
  having sum(p.amount) <> 0 order by d.kind, i.code, e.number, p.origin_id, r.code, p.date`;

interface Found {
  readonly dimensionId: string | null;
  readonly kind: DeferralKind;
  readonly document_id: string | null;
  readonly entry_id: string | null;
  readonly code: string | null;
  readonly partner_id: string | null;
  readonly partner_name: string | null;
  readonly account_code: string;
  readonly deferral_account_code: string;
  readonly service_from: string;
  readonly service_to: string;
  readonly month_end: string;
  readonly amount: Decimal;
}

const ROW = Type.Object({
  ...DIMENSION_OF_ROW,
  kind: choice(DEFERRAL_KINDS, {
    description: 'expense: paid for before its month (480); income: charged before it (485)',
  }),
  document_id: nullable(uuid({ description: 'The invoice; null for an entry that was made by hand' })),
  entry_id: nullable(uuid({ description: 'The entry that was made by hand' })),
  code: nullable(text()),
  partner_id: nullable(uuid()),
  partner_name: nullable(text()),
  account_code: text({ description: 'Account of the income or expense' }),
  deferral_account_code: text({ description: 'Account on which it waits' }),
  service_from: day({ description: 'First day of the service' }),
  service_to: day({ description: 'Last day of the service' }),
  month_end: day({ description: 'Last day of the month that takes the amount' }),
  amount: amount({ description: 'What waits for that month, less what credits take back' }),
  drilldown: text({ max: 500 }),
});

export const deferrals = defineReport({
  name: 'deferrals',
  title: { en: 'Prepaid expenses and deferred income', es: 'Gastos e ingresos anticipados' },
  description:
    'What waits at the end of a day of lines with a service period, by document and month: it equals what these lines have on accounts ' +
    '480 and 485 on that day.',
  area: 'accounting',
  ofDay: true,
  parameters: {
    to: Type.Optional(day({ description: 'The day; defaults to today' })),
    kind: Type.Optional(choice(DEFERRAL_KINDS)),
    partner_id: Type.Optional(uuid()),
    ...DIMENSION_FILTERS,
    ...BY_DIMENSION,
  },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object({
    prepaid_expenses: amount({ description: 'Sum of the expenses' }),
    deferred_income: amount({ description: 'Sum of the income' }),
  }),
  async read(request) {
    const { reader, params, money } = request;
    const { kind = null, partner_id: partner = null, by = null } = params;
    const at = request.range.to;
    const found = await query<Found>(reader, SQL, { at, kind, partner, by, ...dimensionBindings(params) });
    const total = (wanted: DeferralKind) =>
      money(sum(found.filter((row) => row.kind === wanted).map((row) => row.amount)).toFixed());
    const rows = (await dividedRows(request, found)).map(({ dimension, ...row }) => {
      return { ...dimension, ...row, amount: money(row.amount), drilldown: drilldown(row) };
    });
    return {
      from: null,
      data: { rows },
      summary: { prepaid_expenses: total('expense'), deferred_income: total('income') },
    };
  },
  file: ({ params, data, summary }) => ({
    tables: [{ row: rowInFile(ROW, params), rows: data.rows, totals: summary }],
  }),
});

/** The entries of the invoice, or the entry. */
function drilldown({ document_id: documentId, entry_id: entryId }: Pick<Found, 'document_id' | 'entry_id'>): string {
  return documentId === null ? `/api/journal-entries/${entryId}` : `/api/journal-entries?sourceId=${documentId}`;
}
