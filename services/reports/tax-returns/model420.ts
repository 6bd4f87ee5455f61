/** Model 420, the quarterly IGIC return of the Canary Islands, as filed or as it would be filed now (decisions 0365 and 0400). */
import { Type } from 'typebox';
import { boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import { enter420, PERCENTS_420 } from '../../../domain/ledger/tax-returns/model420.ts';
import { periodSpan, QUARTERLY } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_420 } from '../../../domain/reports/tax-returns/form420.ts';
import { compute420 } from '../../ledger/tax-returns/compute-igic.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readUndeclared } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import { assertBoth, assertCharges, MODEL_DATA, modelData, requestedPeriod, vatReportPath } from './tax-model.ts';

export const model420Report = defineReport({
  name: 'tax/model420',
  title: { en: 'Model 420: IGIC return', es: 'Modelo 420: autoliquidación del IGIC' },
  description:
    'Box by box, for companies that charge IGIC. What earlier quarters have left to compensate comes from filed returns ' +
    '(`/api/tax-returns`), else from what they come to. A filed return shows the boxes of its filing.',
  cents: true,
  area: 'accounting',
  parameters: {
    year: Type.Optional(YEAR),
    period: Type.Optional(
      choice([...QUARTERLY, 'T1', 'T2', 'T3', 'T4'], {
        description: 'A quarter; by default the last one that is over',
      }),
    ),
  },
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'C', 'D', 'N'], { description: 'I: to pay, C: to compensate, D: to be refunded, N: nothing' }),
    ...MODEL_DATA,
    ...SOURCES,
    undeclared: Type.Object(
      { output: amount(), input: amount() },
      { description: 'Entered on 477 and 472 by lines that do not say what tax they are of' },
    ),
  }),
  summary: Type.Object({
    output: amount({ description: 'Box 25' }),
    input: amount({ description: 'Box 40' }),
    result: amount({ description: 'Box 45' }),
  }),
  consistent: true,
  check(request) {
    assertCharges(request, 'igic');
    assertBoth(request.params, 'year', 'period');
  },
  async read({ reader, ctx, params, range, money }) {
    const period = requestedPeriod({ params, range });
    const days = periodSpan(period);
    const found = await compute420(reader, ctx.tenantId, period);
    const undeclared = await readUndeclared(reader, ctx.tenantId, days);
    const data = modelData(found, { money, drilldown: vatReportPath(period) });
    const shown = (box: string) => data.boxes[box] ?? 0;
    return {
      ...days,
      data: {
        ...period,
        type: (found.filed ?? found.computed).type as 'I',
        ...data,
        sources: sourcesToJson(boxSources(found.totals, enter420), days, money),
        undeclared: { output: money(undeclared.output), input: money(undeclared.input) },
      },
      summary: { output: shown('25'), input: shown('40'), result: shown('45') },
    };
  },
  file: (view) => formFile(FORM_420, view, { period: `${view.data.year} ${view.data.period}`, percents: PERCENTS_420 }),
});
