/** Schemas of the income tax on wages. */
import { Type } from 'typebox';
import {
  amount,
  choice,
  day,
  flag,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { TAX_DATA } from '../../../services/records/people/tax-data.ts';

export const TaxData = Type.Object(
  {
    id: uuid({ description: 'Id of the employee' }),
    ...TAX_DATA,
    version: integer({ description: '0 until the data are first saved' }),
  },
  { title: 'EmployeeTaxData' },
);

const GROSS = { description: 'Pay in money and in kind' };
const PAY = {
  gross: amount({ places: 2, ...GROSS }),
  contributions: amount({ places: 2, description: 'Social security contributions of the employee' }),
};
const WITHHELD = { withheld: amount({ places: 2, description: 'Income tax withheld' }) };
const MONTHS = { months: Type.Array(integer({ minimum: 1, maximum: 12 }), { description: 'Months of the year' }) };

export const IncomeTaxInput = Type.Object(
  {
    date: Type.Optional(
      nullable(
        day({
          description:
            "Pay from this date's month on is still expected, except for months with a posted payroll; defaults to today",
        }),
      ),
    ),
    year: Type.Optional(
      nullable(
        integer({
          minimum: 1900,
          maximum: 9998,
          description: 'Alternative to `date`: from today for the current year, otherwise the whole year',
        }),
      ),
    ),
    before: Type.Optional(
      nullable(
        Type.Object(
          {
            gross: amount({ places: 2, minimum: 0, ...GROSS }),
            contributions: amount({
              places: 2,
              minimum: 0,
              description: 'Social security contributions of the employee',
            }),
            withheld: amount({ places: 2, minimum: 0, description: 'Income tax withheld' }),
          },
          {
            additionalProperties: false,
            description: 'Pay of the year from before payrolls were kept in this service',
          },
        ),
      ),
    ),
    apply: Type.Optional(
      nullable(flag({ default: false, description: 'Whether to set the percentage in the current contract' })),
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
    currentRate: amount({ places: 2, description: "The contract's current percentage" }),
    rate: amount({
      places: 2,
      description: 'Percentage for the rest of the year: the remaining tax divided by the pay still expected',
    }),
    applied: flag({ description: 'Whether it has been set in the contract' }),
    taxData: Type.Object(TAX_DATA, { description: 'Data declared by the employee' }),
    paid: Type.Object(
      { ...MONTHS, ...PAY, ...WITHHELD },
      { description: "Pay of the year's posted payrolls, and `before`" },
    ),
    expected: Type.Object(
      { ...MONTHS, ...PAY },
      { description: 'Expected pay from contracts and pay items, until the end of the year' },
    ),
    steps: Type.Object(
      {
        ...PAY,
        expenses: amount({ description: 'Amount that applies to everyone, and that of moving house for the work' }),
        disability: amount({ description: 'Further amount of workers with a disability' }),
        reduction: amount({ description: 'Reduction for low income' }),
        manyChildren: amount({ description: 'Reduction for more than two children' }),
        base: amount({ description: 'The gross less the amounts above' }),
        taxOfBase: amount({ description: 'The scale applied to the base' }),
        minimum: amount({ description: 'Tax-free amount for the person, the children and the ascendants' }),
        taxOfMinimum: amount({ description: 'The scale applied to the minimum, which is subtracted' }),
        exempt: amount({ description: 'Yearly pay up to which nothing is withheld' }),
        cap: nullable(amount({ description: '43 % of the pay above it; null if the pay exceeds 35,200' })),
        tax: amount({ description: 'Tax of the year' }),
        rate: amount({ places: 2, description: 'Percentage of the whole year' }),
      },
      { description: "The calculation of the year's tax" },
    ),
  },
  { title: 'IncomeTax' },
);

export const RegularisedRate = Type.Object(
  {
    employeeId: uuid(),
    code: text(),
    name: text({ max: 500 }),
    currentRate: nullable(amount({ places: 2, description: "The contract's current percentage" })),
    rate: nullable(amount({ places: 2, description: 'Percentage for the rest of the year' })),
    applied: flag({ description: 'Whether it has been set in the contract' }),
    reason: nullable(
      choice(['no_contract', 'nothing_to_pay'], {
        description: 'Why there is none: no contract from the month on, or no further pay in the year',
      }),
    ),
  },
  { title: 'RegularisedRate' },
);
