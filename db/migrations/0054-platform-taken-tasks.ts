/** Tasks know when a worker began with them. Those that run already count as taken. */
export const up = `
  alter table tasks add column taken_at timestamptz default now();
  alter table tasks alter column taken_at drop default;
  comment on column tasks.taken_at is 'When a worker began with it; null while it waits';
`;
