/**
 * Events that cannot be handed over are set aside after some tries (`dead_at`), so that all others go on; and a lease has an owner,
 * so that who comes late does not settle what somebody else has claimed since.
 */
export const up = `
  alter table outbox
    add column leased_by uuid,
    add column refusals integer not null default 0,
    add column dead_at timestamptz;
  drop index outbox_pending;
  drop index outbox_pending_entity;
  create index outbox_pending on outbox (seq) where processed_at is null and dead_at is null;
  create index outbox_pending_entity on outbox (entity_id, seq) where processed_at is null and dead_at is null;
  create index outbox_dead on outbox (seq) where dead_at is not null;
`;
