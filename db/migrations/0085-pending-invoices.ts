import { reference } from './schema.ts';

const ENTRIES = ['pending_entry_id', 'pending_reversal_id'] as const;

/** Closes of years enter what is not invoiced yet. Those of earlier releases stay as they were signed; reopening and closing enters it. */
export const up = `
  alter table fiscal_years
    ${ENTRIES.map((column) => `add column ${column} uuid`).join(', ')},
    ${ENTRIES.map((column) => `add ${reference('fiscal_years', column, 'journal_entries')}`).join(', ')};
`;
