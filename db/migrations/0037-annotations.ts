/** What people note about documents for themselves: changed in every state, never printed. */
export const up = `
  alter table documents
    add column internal_notes text,
    add column tags jsonb not null default '[]';
`;
