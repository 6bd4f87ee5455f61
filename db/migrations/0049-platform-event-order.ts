/** Events know the transaction that wrote them: only in the order of transactions can readers go on where they were, and miss nothing. */
export const up = `
  alter table outbox add column xact xid8;
  alter table outbox alter column xact set default pg_current_xact_id();
  comment on column outbox.xact is 'Transaction that wrote it; null for events of earlier versions';
`;
