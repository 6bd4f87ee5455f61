/** Where a worker runs, so that a machine or container can ask for the sign of life of its own. */
export const up = `
  alter table workers add column host text;
`;
