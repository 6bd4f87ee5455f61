/** Schemas of requests about tax returns. */
import { Type } from 'typebox';
import { TAX_MODELS } from '../../../domain/ledger/tax-returns/models.ts';
import { RECEIPT_DIGITS, RECTIFICATION_REASONS } from '../../../domain/ledger/tax-returns/rectifying.ts';
import { amount, choice, day, flag, type Input, integer, nullable, text } from '../../platform/validation/schemas.ts';

/** The year of returns, of their reports and of what they follow from: Spain has had value added tax since 1986. */
export const YEAR = integer({ minimum: 1986, maximum: 2199, description: 'A calendar year' });

const RECTIFICATION = Type.Object(
  {
    receiptNumber: text({
      pattern: `^[0-9]{${RECEIPT_DIGITS}}$`,
      description: 'Number that the agency gave to the return in force of the period (número de justificante)',
    }),
    reason: Type.Optional(
      nullable(
        choice(RECTIFICATION_REASONS, {
          description: 'Model 303 only: correction of figures, or criterion, a dispute about what the agency holds',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Files the return in place of the one in force of the same period: 303 as rectifying, 111, 115, 123, 130 and 420 as ' +
      'complementary, the others as substitutive',
  },
);

export const TaxReturnCreate = Type.Object(
  {
    model: choice(TAX_MODELS),
    year: YEAR,
    period: Type.Optional(
      nullable(
        text({
          max: 2,
          description:
            '1T to 4T, or 01 to 12 (not models 130, 369 and 420); omit it for annual models (180, 190, 193, 347, 390, 425)',
        }),
      ),
    ),
    refund: Type.Optional(
      nullable(
        flag({
          description: 'Models 303 and 420, last period of the year only: requests a refund instead of compensation',
        }),
      ),
    ),
    overrides: Type.Optional(
      nullable(
        Type.Record(Type.String({ maxLength: 3 }), amount({ places: 2 }), {
          description: 'Amounts that the ledger does not know, by box number; calculated boxes cannot be stated',
        }),
      ),
    ),
    date: Type.Optional(
      nullable(
        day({
          description:
            'Date of the settlement entry; defaults to the last day of the period, or to today for one that rectifies another',
        }),
      ),
    ),
    rectification: Type.Optional(nullable(RECTIFICATION)),
  },
  { additionalProperties: false },
);
export type TaxReturnInput = Input<typeof TaxReturnCreate>;

export const AccrualYear = Type.Object(
  { year: integer({ minimum: 2014, maximum: 2199, description: 'What is pending accrues on its 31 December' }) },
  { additionalProperties: false },
);
