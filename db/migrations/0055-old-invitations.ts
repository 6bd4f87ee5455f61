import { SYSTEM_ROLE } from '../database.ts';

/** Invitations that are over are deleted some day. */
export const up = `
  grant delete on invitations to ${SYSTEM_ROLE};
`;
