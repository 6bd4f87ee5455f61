import { describe } from './schema.ts';

/** Chains of records that go on where another program has ended. */
export const up = `
  alter table verifactu_chains add column inherited jsonb;
  ${describe(
    'verifactu_chains',
    'Heads of the chains of records: one for each tax id with which the company has issued invoices.',
    'inherited jsonb, -- Last record of the program before, which the first one here names; null if the chain begins here',
  )}
`;
