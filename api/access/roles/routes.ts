/** Roles: those that every company has, and a company's own. */
import { Type } from 'typebox';
import { OwnRole } from '../../../db/models/access/access.ts';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { CUSTOM } from '../../../domain/grants.ts';
import { ROLES } from '../../../domain/permissions.ts';
import { changeRole, createRole, deleteRole, getRole } from '../../../services/access/roles/roles.ts';
import {
  choice,
  dataBody,
  flag,
  instant,
  integer,
  label,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { HELD_ROLES } from '../sessions/schemas.ts';

interface RoleRow {
  readonly position: number;
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly version: number | null;
}

const EVERYWHERE: readonly RoleRow[] = Object.entries(ROLES).map(([code, { name, permissions }], position) => ({
  position,
  id: code,
  code,
  name,
  permissions: [...permissions].sort(),
  version: null,
}));

const roleList: ListDefinition = {
  fields: {
    code: { type: 'choice', choices: HELD_ROLES },
    name: { type: 'text', searchable: true },
    position: { type: 'integer', filterable: false },
  },
  defaultSort: 'position,name',
};

/** The roles that every company has are constants without a table; as rows, they are listed with its own. */
const ROWS = `(
  select position, id, code, name, permissions, version
  from json_to_recordset(?::json) as every (position integer, id text, code text, name text, permissions json, version integer)
  union all
  select ${EVERYWHERE.length}, id::text, '${CUSTOM}', name, to_json(permissions), version from roles) as roles`;

const members = {
  name: text(),
  permissions: Type.Array(text({ description: 'resource:action' })),
};
const row = Type.Object(
  {
    id: text({ description: 'As `roleId` of members and keys, if it is of your own' }),
    code: choice(HELD_ROLES, { description: 'As `role` of members and keys; custom: a role of your own' }),
    ...members,
    own: flag({ description: 'Whether it is of your own, so that it can be changed' }),
    version: nullable(integer()),
  },
  { title: 'Role' },
);
const ownRole = Type.Object(
  { id: uuid(), ...members, version: integer(), createdAt: instant(), updatedAt: instant() },
  { title: 'OwnRole' },
);

const permissions = () =>
  Type.Array(text({ max: 60 }), {
    minItems: 1,
    maxItems: 300,
    uniqueItems: true,
    description: 'As resource:action; none that would let people give themselves more, and none that you lack',
  });

const shared = { tag: 'Users', params: Type.Object({ id: uuid() }) } as const;
const toJson = (role: OwnRole) => OwnRole.toJson({ ...role });

export const routes: Route[] = [
  listRoute({
    path: '/api/roles',
    id: 'listRoles',
    summary: 'The roles and their permissions',
    description: 'Those that every company has, and those of your own.',
    tag: 'Users',
    access: OwnRole.access,
    list: roleList,
    row,
    ids: ['id'],
    rows: () => ({
      from: fragment(ROWS, JSON.stringify(EVERYWHERE)),
      toJson: ({ position: _, ...shown }: RoleRow) => ({ ...shown, own: shown.version !== null }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/roles',
    id: 'createRole',
    summary: 'Create a role of your own',
    problems: ['duplicate', 'invalid_transition'],
    description:
      'Members and API keys get it by `roleId`. They may read what every member may read, and do what it lists.',
    tag: 'Users',
    access: 'roles:create',
    body: Type.Object({ name: label({ max: 80 }), permissions: permissions() }),
    responses: { 201: dataBody(ownRole) },
    handler: async ({ db, ctx, caller, body }) => {
      const role = await createRole(db, ctx, caller, body);
      return created(`/api/roles/${role.id}`, toJson(role));
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/roles/:id',
    id: 'getRole',
    summary: 'One role of your own',
    description: 'Its name and permissions.',
    access: OwnRole.access,
    responses: { 200: dataBody(ownRole) },
    handler: async ({ reader, params }) => ok(toJson(await getRole(reader, params.id))),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/api/roles/:id',
    id: 'changeRole',
    whenFull: 'reserve',
    summary: 'Change a role of your own',
    problems: ['duplicate'],
    description: 'All who have it may do what it lists from their next request on.',
    access: 'roles:update',
    body: Type.Object({ name: Type.Optional(label({ max: 80 })), permissions: Type.Optional(permissions()) }),
    responses: { 200: dataBody(ownRole) },
    handler: async ({ db, ctx, caller, params, body, ifMatch }) =>
      ok(toJson(await changeRole(db, ctx, caller, params.id, body, ifMatch))),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/api/roles/:id',
    id: 'deleteRole',
    summary: 'Delete a role of your own',
    problems: ['in_use'],
    description: 'Refused while a member, an invitation or an API key has it.',
    access: 'roles:delete',
    responses: { 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) => {
      await deleteRole(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
];
