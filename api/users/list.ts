import type { Db } from '../../db/database.ts';
import { User } from '../../db/models/identity.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { ROLE_NAMES } from '../auth/schemas.ts';
import type { ListRows } from '../list-route.ts';

/** What the list of users filters and sorts by; the role is the one in the company. */
export const userList: ListDefinition = {
  fields: {
    email: { type: 'text', column: 'u.email', searchable: true },
    name: { type: 'text', column: 'u.name', searchable: true },
    role: { type: 'choice', column: 'm.role', choices: ROLE_NAMES },
    active: { type: 'boolean', column: 'u.active' },
    lastLoginAt: { type: 'instant', column: 'u.last_login_at' },
    createdAt: { type: 'instant', column: 'u.created_at' },
  },
  defaultSort: 'name',
  key: 'u.id',
};

/** The users with a membership in the connection's tenant. */
export function usersOf(db: Db): ListRows<object> {
  return {
    from: db('memberships as m').join('users as u', 'u.id', 'm.user_id'),
    columns: ['u.*', 'm.role', 'm.id as membership_id'],
    present: (row) => User.present({ ...User.fromDatabaseJson(row) }),
  };
}
