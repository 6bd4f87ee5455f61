/** Rules are triggered by prices and ended tasks too, and run for each line of a document. */
export const up = `
  alter table automations add column for_each text;
  alter table automations add constraint automations_for_each_check check (for_each = 'line') not valid;
  comment on column automations.for_each is 'line: runs once for each line of the document; null: once for the document';
  alter table automation_runs add column price_id uuid;
  alter table automation_runs add column line_id uuid;
  alter table tasks add column depth integer not null default 0;
  comment on column tasks.depth is 'Number of runs of rules in the chain that led to it';
  comment on column automation_runs.price_id is 'Price that the event is about';
  comment on column automation_runs.line_id is 'Line of the document that it runs for; null without a line';
`;
