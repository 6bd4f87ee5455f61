/** Model 130, the income tax instalment of sole traders, as filed or as it would be filed now (decision 0173). */
import { Type } from 'typebox';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import type { Decimal } from '../../../domain/money.ts';
import { FORM_130 } from '../../../domain/reports/tax-returns/form130.ts';
import { compute130, type PriorYear } from '../../ledger/tax-returns/compute-130.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount, choice, flag, integer, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { formFile } from './tax-form.ts';
import { assertBoth, assertSpanish, lastOver, MODEL_DATA, modelData } from './tax-model.ts';

const NOTE = Type.Object({ note: text() });
const NOTE_TITLE = { note: { en: 'Note', es: 'Nota' } };
const NOT_APPLICABLE = {
  en: 'Model 130 is for sole traders in direct assessment; the company has none to file',
  es: 'El modelo 130 es de autónomos en estimación directa; la empresa no lo presenta',
};

const PRIOR_YEAR = Type.Object(
  {
    year: YEAR,
    source: choice(['ledger', 'settings', 'unknown'], {
      description:
        'ledger: its entries of that year; settings: `priorYearNetIncome`; unknown: neither, so that box 13 is 0',
    }),
    net_income: nullable(amount({ description: 'Null if unknown' })),
  },
  { description: 'Net income of the year before, on which box 13 depends' },
);

/** Warnings for a ledger without the year before. */
const WARNINGS = {
  settings: {
    code: 'prior_year_stated',
    en: 'Box 13 follows priorYearNetIncome of config/tax, because the ledger has no entries of the year before',
    es: 'La casilla 13 sigue a priorYearNetIncome de config/tax, porque los libros no tienen asientos del año anterior',
  },
  unknown: {
    code: 'prior_year_unknown',
    en:
      'Box 13 is 0, because the ledger has no entries of the year before; state its net income as priorYearNetIncome in ' +
      'config/tax, 0 if there was no activity',
    es:
      'La casilla 13 es 0, porque los libros no tienen asientos del año anterior; indique su rendimiento neto como ' +
      'priorYearNetIncome en config/tax, 0 si no hubo actividad',
  },
} as const;

/** The warning on box 13, unless it was stated at filing. */
function chooseWarning(
  { source }: PriorYear,
  filed: { readonly overrides: Readonly<Record<string, unknown>> } | undefined,
): (typeof WARNINGS)[keyof typeof WARNINGS] | undefined {
  return source === 'ledger' || filed?.overrides['13'] !== undefined ? undefined : WARNINGS[source];
}

export const model130Report = defineReport({
  name: 'tax/model130',
  title: { en: 'Model 130: income tax instalment', es: 'Modelo 130: pago fraccionado del IRPF' },
  description:
    'Box by box, for sole traders (`taxpayer` in `config/tax`); a company has none. Figures are from 1 January to the end of the quarter.',
  cents: true,
  area: 'accounting',
  parameters: {
    year: Type.Optional(YEAR),
    quarter: Type.Optional(
      integer({ minimum: 1, maximum: 4, description: 'By default the last quarter that is over' }),
    ),
  },
  data: Type.Object({
    year: YEAR,
    quarter: integer(),
    type: choice(['I', 'B', 'N'], { description: 'I: to pay, B: to deduct in later quarters, N: nothing' }),
    ...MODEL_DATA,
    prior_year: nullable(PRIOR_YEAR),
  }),
  summary: Type.Object({
    applicable: flag({ description: 'false for companies, which pay corporate tax' }),
    result: amount({ description: 'Box 19' }),
  }),
  consistent: true,
  check(request) {
    assertSpanish(request);
    assertBoth(request.params, 'year', 'quarter');
  },
  async read({ reader, ctx, params, range, language, money }) {
    const { year, quarter } = params;
    const period =
      year === undefined || quarter === undefined ? lastOver(range.to, 'quarter') : { year, period: `${quarter}T` };
    const days = periodSpan(period);
    const { applicable, computed, filed, priorYear } = await compute130(reader, ctx.tenantId, period);
    const none = { boxes: {} as BoxValues, type: 'N' as const };
    const found = { computed: applicable ? computed : none, filed: applicable ? filed : undefined };
    const warning = applicable ? chooseWarning(priorYear, filed) : undefined;
    const shown = found.filed ?? found.computed;
    const drilldown = `/api/reports/pl?from=${year ?? days.from.slice(0, 4)}-01-01&to=${days.to}`;
    return {
      from: `${days.from.slice(0, 4)}-01-01`,
      to: days.to,
      data: {
        year: period.year,
        quarter: Number(period.period[0]),
        type: shown.type as 'I',
        ...modelData(found, { money, drilldown }),
        prior_year: applicable ? priorYearToJson(priorYear, money) : null,
      },
      summary: { applicable, result: money(shown.boxes['19'] ?? '0') },
      warnings: warning === undefined ? [] : [{ code: warning.code, message: warning[language] }],
    };
  },
  file(view) {
    const { data, summary, language } = view;
    if (summary.applicable) return formFile(FORM_130, view, { period: `${data.year} ${data.quarter}T` });
    return { tables: [{ row: NOTE, titles: NOTE_TITLE, rows: [{ note: NOT_APPLICABLE[language] }] }] };
  },
});

function priorYearToJson({ year, source, amount: netIncome }: PriorYear, money: (value: Decimal) => number) {
  return { year, source, net_income: netIncome === null ? null : money(netIncome) };
}
