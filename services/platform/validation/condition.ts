/** The schema of a condition in webhook filters and automation rules. */
import { Type } from 'typebox';
import { OPERATORS } from '../../../domain/platform/conditions/conditions.ts';
import { choice, text } from './schemas.ts';

export const Condition = Type.Object(
  {
    field: text({
      description: 'Path into the data, such as total, partner_name, document.partner.name or linked_documents.type',
    }),
    operator: choice(OPERATORS),
    value: Type.Optional(
      Type.Unknown({ description: 'A text, a number, true, false or null; a list of them for in; none for is_empty' }),
    ),
  },
  { additionalProperties: false, title: 'Condition' },
);
