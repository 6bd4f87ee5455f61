/** Model 130, the income tax instalment of sole traders, as filed or as it would be filed now (decision 0173). */
import { Type } from 'typebox';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_130 } from '../../../domain/reports/tax-returns/form130.ts';
import { compute130 } from '../../ledger/tax-returns/compute-130.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount, choice, flag, integer, text } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { formFile } from './tax-form.ts';
import { assertBoth, lastOver, MODEL_DATA, modelData } from './tax-model.ts';

const NOTE = Type.Object({ note: text() });
const NOTE_TITLE = { note: { en: 'Note', es: 'Nota' } };
const NOT_APPLICABLE = {
  en: 'Model 130 is for sole traders in direct assessment; the company has none to file',
  es: 'El modelo 130 es de autónomos en estimación directa; la empresa no lo presenta',
};

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
  }),
  summary: Type.Object({
    applicable: flag({ description: 'false for companies, which pay corporate tax' }),
    result: amount({ description: 'Box 19' }),
  }),
  consistent: true,
  check: ({ params }) => assertBoth(params, 'year', 'quarter'),
  async read({ reader, ctx, params, range, money }) {
    const { year, quarter } = params;
    const period =
      year === undefined || quarter === undefined ? lastOver(range.to, 'quarter') : { year, period: `${quarter}T` };
    const days = periodSpan(period);
    const { applicable, computed, filed } = await compute130(reader, ctx.tenantId, period);
    const none = { boxes: {} as BoxValues, type: 'N' as const };
    const found = { computed: applicable ? computed : none, filed: applicable ? filed : undefined };
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
      },
      summary: { applicable, result: money(shown.boxes['19'] ?? '0') },
    };
  },
  file(view) {
    const { data, summary, language } = view;
    if (summary.applicable) return formFile(FORM_130, view, { period: `${data.year} ${data.quarter}T` });
    return { tables: [{ row: NOTE, titles: NOTE_TITLE, rows: [{ note: NOT_APPLICABLE[language] }] }] };
  },
});
