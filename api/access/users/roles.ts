import { Type } from 'typebox';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { ROLES } from '../../../domain/permissions.ts';
import { text } from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import type { Route } from '../../route.ts';
import { ROLE_NAMES, role } from '../sessions/schemas.ts';

interface RoleRow {
  readonly position: number;
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly permissions: string[];
}

const roles: RoleRow[] = Object.entries(ROLES).map(([code, { name, permissions }], position) => ({
  position,
  id: code,
  code,
  name,
  permissions: [...permissions].sort(),
}));

const roleList: ListDefinition = {
  fields: {
    code: { type: 'choice', choices: ROLE_NAMES },
    name: { type: 'text', searchable: true },
    position: { type: 'integer', filterable: false },
  },
  defaultSort: 'position',
};

/** Roles are constants without a table; as rows, they can be listed like everything else. */
const ROWS = 'json_to_recordset(?::json) as roles (position integer, id text, code text, name text, permissions json)';

export const routes: Route[] = [
  listRoute({
    path: '/api/roles',
    id: 'listRoles',
    summary: 'The roles and their permissions',
    tag: 'Users',
    access: 'roles:read',
    list: roleList,
    row: Type.Object(
      {
        id: role(),
        code: role(),
        name: text(),
        permissions: Type.Array(text({ description: 'resource:action' })),
      },
      { title: 'Role' },
    ),
    rows: () => ({
      from: fragment(ROWS, JSON.stringify(roles)),
      toJson: ({ position: _, ...shown }: RoleRow) => shown,
    }),
  }),
];
