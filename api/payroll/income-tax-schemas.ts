/** Schemas of the income tax on wages. */
import { Type } from 'typebox';
import { TAX_DATA } from '../../services/people/tax-data.ts';
import { amount, choice, day, flag, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';

export const TaxData = Type.Object(
  {
    id: uuid({ description: 'Of the employee' }),
    ...TAX_DATA,
    version: integer({ description: '0 until something is told' }),
  },
  { title: 'EmployeeTaxData' },
);

const GROSS = { description: 'In money and in kind' };
const PAY = {
  gross: amount({ places: 2, ...GROSS }),
  contributions: amount({ places: 2, description: 'Of the employee' }),
};
const WITHHELD = { withheld: amount({ places: 2, description: 'Income tax' }) };
const MONTHS = { months: Type.Array(integer({ minimum: 1, maximum: 12 }), { description: 'Months of the year' }) };

export const IncomeTaxInput = Type.Object(
  {
    date: Type.Optional(
      nullable(
        day({ description: 'Pay from its month on is still to come, unless its payroll is posted; today by default' }),
      ),
    ),
    year: Type.Optional(
      nullable(
        integer({
          minimum: 1900,
          maximum: 9998,
          description: 'Instead of `date`: from today in the present year, else the whole',
        }),
      ),
    ),
    before: Type.Optional(
      nullable(
        Type.Object(
          {
            gross: amount({ places: 2, minimum: 0, ...GROSS }),
            contributions: amount({ places: 2, minimum: 0, description: 'Of the employee' }),
            withheld: amount({ places: 2, minimum: 0, description: 'Income tax' }),
          },
          {
            additionalProperties: false,
            description: 'What was paid in the year before payrolls were kept in this service',
          },
        ),
      ),
    ),
    apply: Type.Optional(
      nullable(flag({ default: false, description: 'Whether the contract in force gets the percentage' })),
    ),
  },
  { additionalProperties: false },
);

export const IncomeTaxResult = Type.Object(
  {
    employeeId: uuid(),
    contractId: uuid(),
    date: day(),
    year: integer(),
    currentRate: amount({ places: 2, description: 'Of the contract until now' }),
    rate: amount({
      places: 2,
      description: 'For the rest of the year: what is left of the tax, of the pay still expected',
    }),
    applied: flag({ description: 'Whether the contract has it now' }),
    taxData: Type.Object(TAX_DATA, { description: 'What the employee has told' }),
    paid: Type.Object(
      { ...MONTHS, ...PAY, ...WITHHELD },
      { description: 'By posted payrolls of the year, and `before`' },
    ),
    expected: Type.Object(
      { ...MONTHS, ...PAY },
      { description: 'By contracts and pay items, until the end of the year' },
    ),
    steps: Type.Object(
      {
        ...PAY,
        expenses: amount({ description: 'That everybody has' }),
        reduction: amount({ description: 'For low income' }),
        manyChildren: amount({ description: 'For more than two children' }),
        base: amount({ description: 'What is left of the gross' }),
        taxOfBase: amount({ description: 'What the scale takes of the base' }),
        minimum: amount({ description: 'Free of tax, for the person and the children' }),
        taxOfMinimum: amount({ description: 'What it takes of the minimum, which is taken off' }),
        exempt: amount({ description: 'The yearly pay up to which nothing is withheld' }),
        cap: nullable(amount({ description: '43 % of what exceeds it; null for pay above 35,200' })),
        tax: amount({ description: 'Of the year' }),
        rate: amount({ places: 2, description: 'Of the year as a whole' }),
      },
      { description: 'How the tax of the year is worked out' },
    ),
  },
  { title: 'IncomeTax' },
);

export const RegularisedRate = Type.Object(
  {
    employeeId: uuid(),
    code: text(),
    name: text({ max: 500 }),
    currentRate: nullable(amount({ places: 2, description: 'Of the contract until now' })),
    rate: nullable(amount({ places: 2, description: 'For the rest of the year' })),
    applied: flag({ description: 'Whether the contract has it now' }),
    reason: nullable(
      choice(['no_contract', 'nothing_to_pay'], {
        description: 'Why there is none: no contract holds from the month on, or nothing more is paid in the year',
      }),
    ),
  },
  { title: 'RegularisedRate' },
);
