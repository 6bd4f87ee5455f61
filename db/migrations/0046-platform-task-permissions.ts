/** Tasks are shown to those alone who may still read what they made. */
export const up = `
  alter table tasks add column permission text;
  comment on column tasks.permission is 'Permission that its readers need, besides being its requester or an administrator; null for none';
`;
