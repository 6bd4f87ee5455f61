/** A letter that asks a partner whether their books agree with the operations that model 347 declares (decision 0349). */
import { Type } from 'typebox';
import { Partner } from '../../../db/models/records/master-data.ts';
import { findRow } from '../../../db/queries/find.ts';
import { daysAfter } from '../../../domain/days.ts';
import { notFoundByParameter } from '../../../domain/errors.ts';
import { isDeclared, toRecords, yearTotal } from '../../../domain/ledger/tax-returns/model347.ts';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { sum } from '../../../domain/money.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { readOperations } from '../../ledger/tax-returns/third-parties.ts';
import { amount, day, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import { toRow } from './model347.ts';
import { LETTER, LETTER_ROW } from './operations-letter-data.ts';
import { LETTER_TITLE, letterForm } from './operations-letter-form.ts';
import { assertSpanish, requestedYear } from './tax-model.ts';

/** Days that partners have to answer, unless the request says until when. */
const DAYS_TO_REPLY = 14;

/** Columns of files: the partner is in the heading. */
const COLUMNS = ['key', 'reverse_charge', 'q1', 'q2', 'q3', 'q4', 'total', 'cash', 'declared'];

export const operationsLetter = defineReport({
  name: 'operations-letter',
  title: LETTER_TITLE,
  description:
    "A partner's operations of a year by quarter, VAT included, as model 347 declares them, also those below its limit. The PDF is a " +
    "letter in the partner's language that asks them to confirm the amounts or to say what differs.",
  cents: true,
  area: 'accounting',
  parameters: {
    partner_id: uuid(),
    year: Type.Optional(YEAR),
    reply_by: Type.Optional(
      day({ description: `The day until which the partner is asked to answer; by default in ${DAYS_TO_REPLY} days` }),
    ),
  },
  problems: ['not_found'],
  data: LETTER,
  summary: Type.Object({
    sales: amount({ description: 'The year, VAT included' }),
    purchases: amount({ description: 'The year, VAT included' }),
  }),
  consistent: true,
  check: assertSpanish,
  async read({ reader, ctx, params, range, settings, money }) {
    const { partner_id: id } = params;
    const partner = await findRow(reader, Partner, { id });
    if (partner === undefined) throw notFoundByParameter('This partner', 'partner_id');
    const year = requestedYear(params, range);
    const days = periodSpan({ year, period: ANNUAL });
    const operations = await readOperations(reader, days, id);
    const total = (key: 'A' | 'B') => sum(operations.filter((each) => each.key === key).map(yearTotal)).toFixed();
    const { company, format } = settings;
    return {
      ...days,
      addresseeLanguage: partner.language,
      data: {
        year,
        reply_by: params.reply_by ?? daysAfter(localDay(ctx.now, format.timezone), DAYS_TO_REPLY),
        partner: { id, name: partner.name, nif: partner.nif, language: partner.language },
        company: { name: company.name, nif: company.taxId },
        rows: operations.flatMap((each) =>
          toRecords(each).map((record) => ({ ...toRow(record, days, money), declared: isDeclared(each) })),
        ),
      },
      summary: { sales: money(total('B')), purchases: money(total('A')) },
    };
  },
  file: (view) => ({
    tables: [{ row: LETTER_ROW, columns: COLUMNS, rows: view.data.rows }],
    forms: [letterForm(view)],
    formsOnPaper: true,
  }),
});
