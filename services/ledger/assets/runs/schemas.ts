/** Schemas of runs of depreciation. */
import { Type } from 'typebox';
import { RUN_FREQUENCIES } from '../../../../domain/ledger/assets/types.ts';
import { choice, day, flag, type Input } from '../../../platform/validation/schemas.ts';

export const RunBody = Type.Object(
  {
    to: Type.Optional(
      day({
        description:
          'Months, or fiscal years, that end on this day or before are depreciated, also earlier ones that are missing. ' +
          'Defaults to the end of the last month; the end of the present one at most',
      }),
    ),
    frequency: Type.Optional(
      choice(RUN_FREQUENCIES, {
        default: 'month',
        description: 'An entry for each month, or one for each fiscal year',
      }),
    ),
    catchUp: Type.Optional(
      flag({
        default: false,
        description: 'Whether depreciation of closed periods is entered in the next open one; otherwise it is refused',
      }),
    ),
  },
  { title: 'AssetRunBody', additionalProperties: false },
);
export type RunInput = Input<typeof RunBody>;

export const UndoBody = Type.Object(
  {
    date: Type.Optional(
      day({ description: 'Of the reversals; by default each has the date of its entry, whose period must be open' }),
    ),
  },
  { title: 'AssetUndo', additionalProperties: false },
);
