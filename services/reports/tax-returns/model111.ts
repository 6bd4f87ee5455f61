/** Model 111, income tax withheld from wages and professionals, computed from the books (decisions 0207 and 0347). */
import { Type } from 'typebox';
import { file111 } from '../../../domain/ledger/tax-returns/file111.ts';
import { COUNTS_111 } from '../../../domain/ledger/tax-returns/model111.ts';
import { periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { FORM_111 } from '../../../domain/reports/tax-returns/form111.ts';
import { DECLARATION_111 } from '../../ledger/tax-returns/declarations.ts';
import { readDeclared } from '../../ledger/tax-returns/declared.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { paymentFile } from './agency-file.ts';
import { formFile } from './tax-form.ts';
import { checkPeriodic, FILED_DATA, filedData, QUARTER_OR_MONTH, requestedPeriod } from './tax-model.ts';
import { WITHHELD_DATA, withheldData, withheldNotes } from './withheld.ts';

export const model111Report = defineReport({
  name: 'tax/model111',
  title: { en: 'Model 111: income tax withheld', es: 'Modelo 111: retenciones del IRPF' },
  description:
    'Box by box: wages of posted payrolls, and what purchase invoices withheld from professionals, by the days of their entries. ' +
    'What other models declare, such as rents (115) and capital (123), is in `elsewhere`.',
  cents: true,
  area: 'accounting',
  parameters: QUARTER_OR_MONTH,
  data: Type.Object({
    year: YEAR,
    period: text(),
    type: choice(['I', 'N'], { description: 'I: to pay, N: nothing' }),
    ...FILED_DATA,
    ...WITHHELD_DATA,
  }),
  summary: Type.Object({ result: amount({ description: 'Box 30' }) }),
  consistent: true,
  check: checkPeriodic,
  async read(request) {
    const { reader, money } = request;
    const period = requestedPeriod(request);
    const days = periodSpan(period);
    const declared = await readDeclared(reader, DECLARATION_111, period);
    const data = filedData(declared, { money });
    const result = data.boxes['30'] ?? 0;
    const type = result > 0 ? ('I' as const) : ('N' as const);
    return {
      ...days,
      data: { ...period, type, ...data, ...withheldData(declared.found, days, money) },
      summary: { result },
    };
  },
  formats: {
    aeat: paymentFile('111', file111),
  },
  file: (view) =>
    formFile(FORM_111, view, {
      period: `${view.data.year} ${view.data.period}`,
      counts: COUNTS_111,
      notes: withheldNotes(view),
    }),
});
