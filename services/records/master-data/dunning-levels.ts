import { DunningLevel } from '../../../db/models/trade/dunning.ts';
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
});
