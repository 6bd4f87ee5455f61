/** Model 425, the annual IGIC summary, as filed or as it would be filed now (decision 0401). */
import { Type } from 'typebox';
import { PERCENTS_425 } from '../../../domain/ledger/tax-returns/model425-boxes.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_425 } from '../../../domain/reports/tax-returns/form425.ts';
import { compute425 } from '../../ledger/tax-returns/compute-igic.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import { assertCharges, MODEL_DATA, modelData, requestedYear, vatReportPath } from './tax-model.ts';

export const model425Report = defineReport({
  name: 'tax/model425',
  title: { en: 'Model 425: annual IGIC summary', es: 'Modelo 425: resumen anual del IGIC' },
  description:
    'Box by box, for companies that charge IGIC: the sum of the returns 420 of a year, the last one that is over by default.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({ year: YEAR, ...MODEL_DATA, ...SOURCES }),
  summary: Type.Object({
    output: amount({ description: 'Box 79' }),
    input: amount({ description: 'Box 94' }),
    result: amount({ description: 'Box 115' }),
    operations: amount({ description: 'Box 134' }),
  }),
  consistent: true,
  check: (request) => assertCharges(request, 'igic'),
  async read({ reader, ctx, params, range, money }) {
    const year = requestedYear(params, range);
    const period = { year, period: ANNUAL };
    const days = periodSpan(period);
    const found = await compute425(reader, ctx.tenantId, year);
    const data = {
      year,
      ...modelData(found, { money, drilldown: vatReportPath(period) }),
      sources: sourcesToJson(found.sources, days, money),
    };
    const of = (box: string) => data.boxes[box] ?? 0;
    return {
      ...days,
      data,
      summary: { output: of('79'), input: of('94'), result: of('115'), operations: of('134') },
    };
  },
  file: (view) => formFile(FORM_425, view, { period: String(view.data.year), percents: PERCENTS_425 }),
});
