import { Type } from 'typebox';
import { PaymentTerms } from '../../../db/models/records/master-data.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { MAX_INSTALMENTS, type TermLine, termsFault } from '../../../domain/trade/payments/terms.ts';
import { amount, flag, integer, label, nullable } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';

const TERM_LINE = Type.Object(
  {
    percent: Type.Optional(
      nullable(
        amount({
          places: 4,
          exclusiveMinimum: 0,
          maximum: 100,
          description: 'Percentage of the total; null for the rest',
        }),
      ),
    ),
    days: integer({ minimum: 0, maximum: 3650, description: 'Days after the date of the invoice' }),
    endOfMonth: Type.Optional(flag({ description: 'Due at the end of the month that the days lead to' })),
  },
  { additionalProperties: false },
);

/** Payment terms: when invoices are due, and in which parts. Existing invoices keep their instalments when the terms change. */
export const paymentTerms = declareResource({
  name: 'PaymentTerms',
  plural: 'AllPaymentTerms',
  path: '/api/payment-terms',
  tag: 'Payment terms',
  model: PaymentTerms,
  defaultSort: 'code',
  problems: ['in_use'],
  fields: {
    code: { schema: label({ max: 30 }), required: true, searchable: true },
    name: { schema: label(), required: true, searchable: true },
    lines: {
      schema: Type.Array(TERM_LINE, {
        minItems: 1,
        maxItems: MAX_INSTALMENTS,
        description: 'The percentages add up to 100, unless one line has none and gets the rest',
      }),
      required: true,
    },
    active: { schema: flag(), default: true },
  },
  filters: { lines: { type: 'text', filterable: false, sortable: false } },
  onCreate: async (_, values) => withLines(values),
  onPatch: async (_, values) => withLines(values),
});

/** Completes and checks the lines. @throws ServiceError validation_failed */
function withLines(values: Row): Row {
  if (values.lines === undefined) return values;
  const lines = (values.lines as readonly Partial<TermLine>[]).map(
    ({ percent = null, days = 0, endOfMonth = false }): TermLine => ({ percent, days, endOfMonth }),
  );
  const fault = termsFault(lines);
  if (fault !== null) throw invalidMember('/lines', 'not_whole', fault);
  return { ...values, lines };
}
