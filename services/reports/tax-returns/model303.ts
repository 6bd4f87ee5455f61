/** Model 303, the VAT return of a month or quarter, as filed or as it would be filed now (decision 0173). */
import { Type } from 'typebox';
import { refusedParameter } from '../../../domain/errors.ts';
import { boxSources } from '../../../domain/ledger/tax-returns/box-sources.ts';
import { file303, hasFile303, needsAccount } from '../../../domain/ledger/tax-returns/file303.ts';
import { enter303, PERCENTS_303 } from '../../../domain/ledger/tax-returns/model303.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_303, PARTS_303, WITHOUT_TAX_303 } from '../../../domain/reports/tax-returns/form303.ts';
import { compute303 } from '../../ledger/tax-returns/compute-303.ts';
import { readEarlier } from '../../ledger/tax-returns/earlier.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readSettlement } from '../../ledger/tax-returns/settlement.ts';
import { readUndeclared } from '../../ledger/tax-returns/taxes.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, choice, flag, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { AGENCY_FILE, assertSpanishIban, encode, exactBoxes, refundAccount } from './agency-file.ts';
import { SOURCES, sourcesToJson } from './box-sources.ts';
import { formFile } from './tax-form.ts';
import {
  checkPeriodicVat,
  MODEL_DATA,
  modelData,
  QUARTER_OR_MONTH,
  rectificationIn,
  requestedPeriod,
  vatReportPath,
} from './tax-model.ts';

const optional = Type.Optional;

const LINE = Type.Object({
  account_id: uuid(),
  account_code: text(),
  account_name: text({ max: 500 }),
  debit: amount(),
  credit: amount(),
});

const PARAMETERS = {
  ...QUARTER_OR_MONTH,
  type: optional(
    choice(['repercutido', 'soportado', 'regularizacion'], {
      description: 'Only the boxes of VAT charged, of VAT borne, or of the result with its settlement entry',
    }),
  ),
  iban: optional(text({ max: 34, description: 'With format=aeat: the Spanish account of a refund (page DID00)' })),
  exempt: optional(
    flag({ default: true, description: 'Whether boxes of operations without VAT are shown (59, 60, 120, 122, 123)' }),
  ),
};

export const model303Report = defineReport({
  name: 'tax/model303',
  title: { en: 'Model 303: VAT return', es: 'Modelo 303: autoliquidación del IVA' },
  description:
    'Box by box. What earlier periods have left to compensate comes from filed returns (`/api/tax-returns`), else from what they ' +
    'come to. A filed return shows the boxes of its filing.',
  cents: true,
  area: 'accounting',
  parameters: PARAMETERS,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'C', 'D', 'N'], { description: 'I: to pay, C: to compensate, D: to be refunded, N: nothing' }),
    ...MODEL_DATA,
    ...SOURCES,
    monthly_refunds: flag({ description: 'Whether the company is in the register of monthly refunds' }),
    entry: Type.Array(LINE, { description: 'With type=regularizacion: the lines of its settlement' }),
    earlier: nullable(
      Type.Object(
        { count: integer(), drilldown: text({ max: 500 }) },
        { description: 'Sales of an earlier period by their `operationDate`: their VAT was due then; null: none' },
      ),
    ),
    undeclared: Type.Object(
      { output: amount(), input: amount() },
      { description: 'Entered on 477 and 472 by lines that do not say what tax they are of' },
    ),
  }),
  summary: Type.Object({
    output: amount({ description: 'Box 27' }),
    input: amount({ description: 'Box 45' }),
    result: amount({ description: 'Box 71' }),
  }),
  consistent: true,
  check: checkPeriodicVat,
  async read({ reader, ctx, params, range, money }) {
    const period = requestedPeriod({ params, range });
    const days = periodSpan(period);
    const found = await compute303(reader, ctx.tenantId, period);
    const { computed, filed, totals } = found;
    const shown = filed ?? computed;
    const undeclared = await readUndeclared(reader, ctx.tenantId, days);
    const shows = shownBoxes(params);
    const settles = params.type === 'regularizacion';
    const entry = settles ? await readSettlement(reader, filed, totals, computed.boxes) : [];
    return {
      ...days,
      data: {
        ...period,
        type: shown.type as 'I',
        ...modelData(found, { money, drilldown: vatReportPath(period), shows }),
        sources: sourcesToJson(boxSources(totals, enter303), days, money).filter(({ box }) => shows(box)),
        entry: entry.map(({ debit, credit, ...account }) => ({
          ...account,
          debit: money(debit),
          credit: money(credit),
        })),
        monthly_refunds: (await loadSettings(reader, 'tax')).monthlyRefunds,
        earlier: await readEarlier(reader, days),
        undeclared: { output: money(undeclared.output), input: money(undeclared.input) },
      },
      summary: {
        output: money(shown.boxes['27'] ?? '0'),
        input: money(shown.boxes['45'] ?? '0'),
        result: money(shown.boxes['71'] ?? '0'),
      },
    };
  },
  formats: {
    aeat: {
      ...AGENCY_FILE,
      extension: '303',
      check(request) {
        const { type, exempt } = request.params;
        const all = 'must be left out: the file of the tax agency has all boxes';
        if (type !== undefined) throw refusedParameter('type', all);
        if (exempt === false) throw refusedParameter('exempt', all);
        assertSpanishIban(request.params);
        if (hasFile303(requestedPeriod(request))) return;
        throw refusedParameter('period', 'must be 2026 2T, 02 or later, because the file has the design of 2026');
      },
      async write({ data, params, settings }) {
        const { year, period, type, monthly_refunds: monthlyRefunds, filed } = data;
        const boxes = exactBoxes(data.boxes);
        const account = needsAccount(type, boxes) ? refundAccount(params) : null;
        const of = { period: { year, period }, boxes, type, company: settings.company };
        return encode(file303({ ...of, account, monthlyRefunds, rectification: rectificationIn(filed) }));
      },
    },
  },
  file: (view) =>
    formFile(FORM_303, view, {
      period: `${view.data.year} ${view.data.period}`,
      percents: PERCENTS_303,
      shows: shownBoxes(view.params),
    }),
});

/** Selects the requested boxes. */
function shownBoxes({ type, exempt = true }: { readonly type?: keyof typeof PARTS_303; readonly exempt?: boolean }) {
  const part = type && new Set(PARTS_303[type].flatMap(({ lines }) => lines.flatMap(({ boxes }) => boxes)));
  return (box: string) => (part === undefined || part.has(box)) && (exempt || !WITHOUT_TAX_303.has(box));
}
