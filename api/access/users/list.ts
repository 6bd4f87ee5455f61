import { MEMBERSHIP_STATUSES, User } from '../../../db/models/access/access.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { MEMBERS_SQL } from '../../../services/access/members/members.ts';
import type { ListRows } from '../../lists/list-route.ts';
import { HELD_ROLES } from '../sessions/schemas.ts';

/** Filters and sort orders of the list of users; the role is the one in the company. */
export const userList: ListDefinition = {
  fields: {
    email: { type: 'text', searchable: true },
    name: { type: 'text', searchable: true },
    role: { type: 'choice', choices: HELD_ROLES },
    roleId: { type: 'uuid' },
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
