/**
 * Absences that are requested and decided. Existing ones, and those of processes of the version before, are approved. An exclusion
 * constraint cannot be made concurrently; this table has some rows for each employee and year, so that its writers wait for a moment only.
 */
export const up = `
  alter table absences add column status text not null default 'approved',
    add column refusal_reason text,
    add column requested_by uuid,
    add column decided_by uuid,
    add column decided_at timestamptz,
    add constraint absences_status_check check (status in ('approved', 'requested', 'refused')) not valid,
    drop constraint absences_no_overlap,
    add constraint absences_no_overlap
      exclude using gist (tenant_id with =, employee_id with =, daterange("from", "to", '[]') with &&) where (status <> 'refused');
  comment on column absences.status is 'approved, requested or refused; only approved ones count';
  comment on column absences.refusal_reason is 'Why it was refused';
  comment on column absences.requested_by is 'User who requested it; null unless it was requested by a user';
  comment on column absences.decided_by is 'User who approved or refused the request';
  comment on column absences.decided_at is 'When the request was approved or refused';
`;
