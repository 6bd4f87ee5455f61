/** Model 420, the quarterly IGIC return of the Canary Islands, as the books have it now (decision 0365). */
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import { boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import { enter420, PERCENTS_420, type Return420, returns420 } from '../../../domain/ledger/tax-returns/model420.ts';
import {
  contains,
  periodSpan,
  periodsUntil,
  QUARTERLY,
  type TaxPeriod,
} from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_420 } from '../../../domain/reports/tax-returns/form420.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readMonthTotals, readUndeclared } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import { assertBoth, MODEL_DATA, modelData, requestedPeriod, vatReportPath } from './tax-model.ts';

export const model420Report = defineReport({
  name: 'tax/model420',
  title: { en: 'Model 420: IGIC return', es: 'Modelo 420: autoliquidación del IGIC' },
  description:
    'Box by box, for companies that charge IGIC. What earlier quarters have left to compensate is what the books say they come to.',
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
    type: choice(['I', 'C', 'N'], { description: 'I: to pay, C: to compensate, N: nothing' }),
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
    assertIgic(request);
    assertBoth(request.params, 'year', 'period');
  },
  async read({ reader, ctx, params, range, money }) {
    const period = requestedPeriod({ params, range });
    const days = periodSpan(period);
    const { computed, totals } = await compute420(reader, ctx.tenantId, period);
    const undeclared = await readUndeclared(reader, ctx.tenantId, days);
    const { boxes, unmapped, type } = computed;
    const drilldown = vatReportPath(period);
    const data = modelData({ computed: { boxes, unmapped }, filed: undefined }, { money, drilldown });
    const shown = (box: string) => data.boxes[box] ?? 0;
    return {
      ...days,
      data: {
        ...period,
        type,
        ...data,
        sources: sourcesToJson(boxSources(totals, enter420), days, money),
        undeclared: { output: money(undeclared.output), input: money(undeclared.input) },
      },
      summary: { output: shown('25'), input: shown('40'), result: shown('45') },
    };
  },
  file: (view) => formFile(FORM_420, view, { period: `${view.data.year} ${view.data.period}`, percents: PERCENTS_420 }),
});

/** @throws ServiceError invalid_transition for a company that charges another tax */
function assertIgic({ settings }: Pick<ReportRequest, 'settings'>): void {
  if (settings.company.taxSet === 'igic') return;
  throw new ServiceError(
    'invalid_transition',
    'Model 420 is of IGIC, which the company does not charge: taxSet of /api/company',
  );
}

async function compute420(reader: ReportRequest['reader'], tenantId: string, period: TaxPeriod) {
  const { from, to } = periodSpan(period);
  const months = await readMonthTotals(reader, tenantId, { to });
  const [earliest = from] = [from, ...months.map(({ month }) => month)].sort();
  const computed = returns420(periodsUntil(period, earliest), months).at(-1) as Return420;
  return { computed, totals: months.filter(({ month }) => contains(period, month)) };
}
