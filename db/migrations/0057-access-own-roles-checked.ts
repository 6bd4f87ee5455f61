/** Those who have a role of the company's own have one that is there. */
export const up = `
  alter table memberships validate constraint memberships_role;
  alter table invitations validate constraint invitations_role;
  alter table api_keys validate constraint api_keys_role;
`;
