import type { Db } from '../../db/database.ts';
import { User } from '../../db/models/identity.ts';
import { type ListDefinition, parseListQuery } from '../../db/queries/list.ts';
import { runList } from '../../db/queries/run-list.ts';
import { ROLE_NAMES } from '../auth/schemas.ts';
import { listAnswer } from '../list.ts';
import type { RouteResponse } from '../route.ts';

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
export async function listUsers(db: Db, parameters: Record<string, string>): Promise<RouteResponse> {
  const members = db('memberships as m').join('users as u', 'u.id', 'm.user_id');
  const columns = ['u.*', 'm.role', 'm.id as membership_id'];
  const found = await runList<object>(db, userList, parseListQuery(userList, parameters), members, columns);
  return listAnswer(found, (row) => User.present({ ...User.fromDatabaseJson(row) }));
}
