/** Model 420, the quarterly IGIC return of the Canary Islands, as filed or as it would be filed now (decisions 0365 and 0400). */
import { Type } from 'typebox';
import { refusedParameter } from '../../../domain/errors.ts';
import { boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import { file420 } from '../../../domain/ledger/tax-returns/file420.ts';
import { enter420, PERCENTS_420 } from '../../../domain/ledger/tax-returns/model420.ts';
import { periodSpan, QUARTERLY } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_420 } from '../../../domain/reports/tax-returns/form420.ts';
import { compute420 } from '../../ledger/tax-returns/compute-igic.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readUndeclared } from '../../ledger/tax-returns/taxes.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, choice, flag, text } from '../../platform/validation/schemas.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { assertSpanishIban, encode, exactBoxes, refundAccount } from './agency-file.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import {
  assertBoth,
  assertCharges,
  MODEL_DATA,
  modelData,
  rectificationIn,
  requestedPeriod,
  vatReportPath,
} from './tax-model.ts';

const MUNICIPALITY = 'must be given, because the file names the municipality of the company';

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
    municipality: Type.Optional(
      text({
        pattern: '^[0-9]{5}$',
        description: "With format=atc: the INE code of the company's municipality (35016)",
      }),
    ),
    street_type: Type.Optional(
      text({
        pattern: '^[A-Z]{2}$',
        description: 'With format=atc: the kind of its street (CL, AV, PZ); CL by default',
      }),
    ),
    iban: Type.Optional(text({ max: 34, description: 'With format=atc: the Spanish account of a refund' })),
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
    cash_basis: flag({ description: 'Whether the company is under the cash basis in the year' }),
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
        cash_basis: (await loadSettings(reader, 'tax')).cashBasisYears.includes(period.year),
      },
      summary: { output: shown('25'), input: shown('40'), result: shown('45') },
    };
  },
  formats: {
    atc: {
      type: 'application/xml; charset=iso-8859-1',
      extension: 'xml',
      check({ params, settings }) {
        if (params.municipality === undefined) throw refusedParameter('municipality', MUNICIPALITY);
        assertSpanishIban(params);
        const { zipCode } = addressed(settings);
        if (params.municipality.slice(0, 2) !== zipCode.slice(0, 2)) {
          const message = `must be of the province ${zipCode.slice(0, 2)}, which the postal code of the company is of`;
          throw refusedParameter('municipality', message);
        }
      },
      async write({ data, params, settings }) {
        const { year, period, type, filed, cash_basis: cashBasis } = data;
        const { municipality = '', street_type: streetType = 'CL' } = params;
        return encode(
          file420({
            period: { year, period },
            boxes: exactBoxes(data.boxes),
            type,
            company: addressed(settings),
            streetType,
            municipality,
            cashBasis,
            receiptNumber: rectificationIn(filed)?.receiptNumber ?? null,
            account: type === 'D' ? refundAccount(params) : null,
          }),
        );
      },
    },
  },
  file: (view) => formFile(FORM_420, view, { period: `${view.data.year} ${view.data.period}`, percents: PERCENTS_420 }),
});

/** The company as its file names it. @throws ServiceError invalid_parameter if its address is not known */
function addressed({ company }: ReportRequest['settings']) {
  const { name, taxId, address, zipCode, phone } = company;
  if (taxId === '' || address === null || zipCode === null) {
    const message =
      'cannot be atc, because the agency demands tax id, address and postal code of the company (/api/company)';
    throw refusedParameter('format', message);
  }
  return { name, taxId, address, zipCode, phone };
}
