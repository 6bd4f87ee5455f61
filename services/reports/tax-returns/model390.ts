/** Model 390, the annual VAT summary, as filed or as it would be filed now (decision 0173). */
import { Type } from 'typebox';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_390 } from '../../../domain/reports/tax-returns/form390.ts';
import { compute390 } from '../../ledger/tax-returns/compute-390.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import { assertVat, MODEL_DATA, modelData, requestedYear, vatReportPath } from './tax-model.ts';

export const model390Report = defineReport({
  name: 'tax/model390',
  title: { en: 'Model 390: annual VAT summary', es: 'Modelo 390: resumen anual del IVA' },
  description: 'Box by box: the sum of the returns 303 of a year, the last one that is over by default.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({ year: YEAR, ...MODEL_DATA, ...SOURCES }),
  summary: Type.Object({
    output: amount({ description: 'Box 47' }),
    input: amount({ description: 'Box 64' }),
    result: amount({ description: 'Box 86' }),
    operations: amount({ description: 'Box 108' }),
  }),
  consistent: true,
  check: assertVat,
  async read({ reader, ctx, params, range, money }) {
    const year = requestedYear(params, range);
    const period = { year, period: ANNUAL };
    const found = await compute390(reader, ctx.tenantId, year);
    const days = periodSpan(period);
    const data = {
      year,
      ...modelData(found, { money, drilldown: vatReportPath(period) }),
      sources: sourcesToJson(found.sources, days, money),
    };
    const of = (box: string) => data.boxes[box] ?? 0;
    return {
      ...days,
      data,
      summary: { output: of('47'), input: of('64'), result: of('86'), operations: of('108') },
    };
  },
  file: (view) => formFile(FORM_390, view, { period: String(view.data.year) }),
});
