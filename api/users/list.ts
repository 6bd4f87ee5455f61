import { MEMBERSHIP_STATUSES, User } from '../../db/models/identity.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { MEMBERS_SQL } from '../../services/identity/members.ts';
import { ROLE_NAMES } from '../auth/schemas.ts';
import type { ListRows } from '../list-route.ts';

/** What the list of users filters and sorts by; the role is the one in the company. */
export const userList: ListDefinition = {
  fields: {
    email: { type: 'text', searchable: true },
    name: { type: 'text', searchable: true },
    role: { type: 'choice', choices: ROLE_NAMES },
    status: { type: 'choice', choices: MEMBERSHIP_STATUSES },
    active: { type: 'boolean' },
    lastLoginAt: { type: 'instant' },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'name',
};

/** The users of the company, including invitees. */
export function userRows(): ListRows<object> {
  return {
    from: `(${MEMBERS_SQL}) as members`,
    toJson: (row) => User.toJson({ ...User.fromDatabaseJson(row) }),
  };
}
