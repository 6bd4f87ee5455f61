import { Type } from 'typebox';
import { ROLES } from '../../domain/permissions.ts';
import { listOf, text } from '../../services/validation/schemas.ts';
import { role } from '../auth/schemas.ts';
import { defineRoute, type Route } from '../route.ts';

const roles = Object.entries(ROLES).map(([code, { name, permissions }]) => ({
  id: code,
  code,
  name,
  permissions: [...permissions].sort(),
}));

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/roles',
    id: 'listRoles',
    summary: 'The roles and what each may do',
    tag: 'Users',
    access: 'roles:read',
    transaction: 'none',
    responses: {
      200: listOf(
        Type.Object(
          {
            id: role(),
            code: role(),
            name: text(),
            permissions: Type.Array(text({ description: 'resource:action' })),
          },
          { title: 'Role' },
        ),
      ),
    },
    handler: async () => ({
      status: 200,
      body: { data: roles, pagination: { total: roles.length, page: 1, per_page: 50, has_more: false } },
    }),
  }),
];
