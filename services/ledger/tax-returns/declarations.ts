/** Models that add up the books of a period: those of withheld tax, and informative ones. */
import type { Reader } from '../../../db/database.ts';
import { model111 } from '../../../domain/ledger/tax-returns/model111.ts';
import { model115, model180, type Rent } from '../../../domain/ledger/tax-returns/model115.ts';
import { type CapitalIncome, model123, model193 } from '../../../domain/ledger/tax-returns/model123.ts';
import { model190 } from '../../../domain/ledger/tax-returns/model190.ts';
import { isDeclared, model347, type Operations } from '../../../domain/ledger/tax-returns/model347.ts';
import {
  type Correction349,
  type Declared349,
  declare349,
  earliestCorrected,
  model349,
} from '../../../domain/ledger/tax-returns/model349.ts';
import { type Declaration369, declare369, model369 } from '../../../domain/ledger/tax-returns/model369.ts';
import { periodContaining, periodSpan, type TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import type { WithheldFrom } from '../../../domain/ledger/tax-returns/withheld.ts';
import { readCapitalIncome } from './capital.ts';
import type { Declaration, Details } from './declared.ts';
import { type EmployeeTaxData, readEmployeeTaxData } from './employee-tax-data.ts';
import { readRents } from './rents.ts';
import { readOperations } from './third-parties.ts';
import { readUnionBases } from './union.ts';
import { readUnionSales } from './union-sales.ts';
import { readWithheld, type WithheldTotals } from './withheld.ts';

/** Infers the types of a declaration. */
function declaration<Found, D extends Details>(given: Declaration<Found, D>): Declaration<Found, D> {
  return given;
}

export const DECLARATION_111 = declaration({
  model: '111',
  result: '30',
  read: async (reader, period) => await readWithheld(reader, periodSpan(period)),
  boxes: ({ recipients }: WithheldTotals, overrides) => model111(recipients, overrides),
  details: () => ({}),
});

export const DECLARATION_115 = declaration({
  model: '115',
  result: '05',
  read: async (reader, period) => await readRents(reader, periodSpan(period)),
  boxes: (rents: readonly Rent[], overrides) => model115(rents, overrides),
  details: () => ({}),
});

export const DECLARATION_123 = declaration({
  model: '123',
  result: '14',
  read: async (reader, period) => await readCapitalIncome(reader, periodSpan(period)),
  boxes: (incomes: readonly CapitalIncome[], overrides) => model123(incomes, overrides),
  details: () => ({}),
});

export const DECLARATION_193 = declaration({
  model: '193',
  result: null,
  read: async (reader, period) => await readCapitalIncome(reader, periodSpan(period)),
  boxes: (incomes: readonly CapitalIncome[]) => model193(incomes),
  details: (incomes) => ({ incomes }),
});

export const DECLARATION_180 = declaration({
  model: '180',
  result: null,
  read: async (reader, period) => await readRents(reader, periodSpan(period)),
  boxes: (rents: readonly Rent[]) => model180(rents),
  details: (rents) => ({ rents }),
});

/** A recipient, with what an employee has declared about themselves. */
export interface Recipient extends WithheldFrom {
  readonly declared: EmployeeTaxData | null;
}

export const DECLARATION_190 = declaration({
  model: '190',
  result: null,
  async read(reader, period) {
    const days = periodSpan(period);
    const totals = await readWithheld(reader, days);
    const ids = totals.recipients.flatMap(({ employeeId }) => employeeId ?? []);
    const data = await readEmployeeTaxData(reader, ids, days.to);
    const recipients = totals.recipients.map(
      (each): Recipient => ({ ...each, declared: data.get(each.employeeId ?? '') ?? null }),
    );
    return { ...totals, recipients };
  },
  boxes: ({ recipients }: WithheldTotals & { readonly recipients: readonly Recipient[] }) => model190(recipients),
  details: ({ recipients }) => ({ recipients }),
});

export const DECLARATION_347 = declaration({
  model: '347',
  result: null,
  read: async (reader, period) => (await readOperations(reader, periodSpan(period))).filter(isDeclared),
  boxes: (operations: readonly Operations[]) => model347(operations),
  details: (operations) => ({ operations }),
});

export const DECLARATION_349 = declaration({
  model: '349',
  result: null,
  async read(reader, period) {
    return declare349(await readCorrected(reader, period), period);
  },
  boxes: ({ declared, corrections }: Declared) => model349(declared, corrections),
  details: ({ declared, corrections }) => ({ declared, corrections }),
});

export const DECLARATION_369 = declaration({
  model: '369',
  result: '8',
  read: async (reader, period) => declare369(await readUnionSales(reader, periodSpan(period)), period),
  boxes: (found: Declaration369) => model369(found),
  details: ({ rows, corrections, expired, balances, accounts }) => ({ rows, corrections, expired, balances, accounts }),
});

interface Declared {
  readonly declared: readonly Declared349[];
  readonly corrections: readonly Correction349[];
}

/** Reads the bases of a period, and those of all earlier ones that it corrects. */
async function readCorrected(reader: Reader, period: TaxPeriod) {
  const { from, to } = periodSpan(period);
  const current = await readUnionBases(reader, { from, to });
  const first = earliestCorrected(current, period);
  if (first === null) return current;
  return await readUnionBases(reader, { from: periodSpan(periodContaining(period.period, first)).from, to });
}
