/** What came of matching a payment, for programs too; in words it stands in `explanation` already. */
export const up = `
  alter table payments
    add column reconciliation_mode text,
    add column reconciliation_reason text;
`;
