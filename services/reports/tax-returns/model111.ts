/** Model 111, income tax withheld from wages and professionals, computed from the books (decision 0207). */
import { Type } from 'typebox';
import { COUNTS_111, model111 } from '../../../domain/ledger/tax-returns/model111.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_111 } from '../../../domain/reports/tax-returns/form111.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readWithheld } from '../../ledger/tax-returns/withheld.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { formFile } from './tax-form.ts';
import { BOXES, checkPeriodic, QUARTER_OR_MONTH, requestedPeriod, shownBoxes } from './tax-model.ts';
import { WITHHELD_DATA, withheldData, withheldNotes } from './withheld.ts';

export const model111Report = defineReport({
  name: 'tax/model111',
  title: { en: 'Model 111: income tax withheld', es: 'Modelo 111: retenciones del IRPF' },
  description:
    'Box by box: wages of posted payrolls, and what purchase invoices withheld from professionals, by the days of their entries. ' +
    'What other models declare, such as rents (115), is in `elsewhere`.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    boxes: BOXES,
    ...WITHHELD_DATA,
  }),
  summary: Type.Object({ result: amount({ description: 'Box 30' }) }),
  consistent: true,
  check: checkPeriodic,
  async read(request) {
    const { reader, money } = request;
    const period = requestedPeriod(request);
    const days = periodSpan(period);
    const found = await readWithheld(reader, days);
    const boxes = shownBoxes(model111(found.recipients), money);
    const result = boxes['30'] ?? 0;
    const type = result > 0 ? ('I' as const) : ('N' as const);
    return { ...days, data: { ...period, type, boxes, ...withheldData(found, days, money) }, summary: { result } };
  },
  file: (view) =>
    formFile(FORM_111, view, {
      period: `${view.data.year} ${view.data.period}`,
      counts: COUNTS_111,
      notes: withheldNotes(view),
    }),
});
