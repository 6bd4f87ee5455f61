import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { DunningLevel } from '../../../db/models/trade/dunning.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { loadPrinting } from '../../messages/mail/printing.ts';
import { type ReminderFacts, reminderNames } from '../../messages/mail/reminder-names.ts';
import { renderTemplate } from '../../messages/mail/render.ts';
import { amount, flag, integer, label, text } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';

/** Levels of reminders of overdue invoices (decision 0316). */
export const dunningLevels = declareResource({
  name: 'DunningLevel',
  plural: 'DunningLevels',
  path: '/api/dunning-levels',
  tag: 'Payments',
  model: DunningLevel,
  defaultSort: 'level',
  naturalKey: ['level'],
  fields: {
    level: { schema: integer({ minimum: 1, maximum: 999, description: 'Taken one after the other' }), required: true },
    name: { schema: label(), required: true, searchable: true },
    days: {
      schema: integer({ minimum: 1, maximum: 3650, description: 'Days overdue from which it is reached' }),
      required: true,
    },
    fee: { schema: amount({ minimum: 0, description: 'Claimed with the reminder' }), default: 0 },
    interestPercent: {
      schema: amount({
        places: 4,
        minimum: 0,
        maximum: 100,
        description: 'Interest a year that is claimed, such as the legal rate of the half-year (Ley 3/2004)',
      }),
    },
    subject: {
      schema: label({ max: 200, description: 'Subject of the mail, a template; without one, the usual one' }),
    },
    body: {
      schema: text({
        max: 20_000,
        description:
          'Text of the mail, a template with partner, company, level, invoices (code, dueDate, days, outstanding, interest), ' +
          'outstanding, interest, fee and total; without one, the usual one',
      }),
    },
    active: { schema: flag(), default: true },
  },
  async onCreate({ trx, ctx }, values) {
    await checkTemplate(trx, ctx, values);
    return values;
  },
  async onPatch({ trx, ctx }, values) {
    await checkTemplate(trx, ctx, values);
    return values;
  },
});

/** A reminder like those that are sent. */
const SAMPLE: ReminderFacts = {
  partner: { name: 'Ana', email: 'ana@example.com' },
  company: { name: 'Naranjas', email: null, phone: null, website: null },
  level: { number: 1, name: 'Recordatorio' },
  invoices: [{ code: 'F2026-00001', dueDate: '2026-01-31', days: 30, outstanding: '121', interest: '1.19' }],
  ...{ outstanding: '121', interest: '1.19', fee: '6', total: '128.19' },
};

/** Fills the template in with a sample, so that no reminder fails later. @throws ServiceError validation_failed */
async function checkTemplate(
  trx: Db,
  { tenantId }: Context,
  { subject, body }: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof subject !== 'string' && typeof body !== 'string') return;
  const printing = await loadPrinting(trx, null);
  const template = { subject: String(subject ?? ''), body: String(body ?? '') };
  const names = reminderNames(SAMPLE, printing.currency);
  const { warnings } = await renderTemplate(tenantId, template, { names, printing });
  const [warning] = warnings;
  if (warning === undefined) return;
  throw invalidMember(
    warning.pointer,
    'invalid_template',
    `cannot be used because something in it has no value: ${warning.message}`,
  );
}
