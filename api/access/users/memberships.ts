import { Type } from 'typebox';
import { MEMBERSHIP_STATUSES, Membership } from '../../../db/models/access/access.ts';
import { type ListDefinition, MAX_LIMIT } from '../../../db/queries/list.ts';
import { pageResult } from '../../../db/queries/run-list.ts';
import { tenantsForUser } from '../../../services/access/companies/tenants.ts';
import { getMembership, MEMBERSHIPS_SQL } from '../../../services/access/members/members.ts';
import { changeMembership, createMembership, deleteMembership } from '../../../services/access/users/memberships.ts';
import {
  dataBody,
  email,
  flag,
  instant,
  integer,
  listBody,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listAnswer } from '../../lists/list.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { remainingKeysAnswer, remainingKeysSchema } from '../api-keys/schemas.ts';
import {
  HELD_ROLES,
  heldRole,
  membershipStatus,
  ownPermissions,
  ownRoleId,
  role,
  sessionMembers,
} from '../sessions/schemas.ts';

const TAG = 'Memberships';
const Id = Type.Object({ id: uuid() });
/** A choice of a role, one of them. */
const chosen = { role: Type.Optional(role()), roleId: Type.Optional(ownRoleId()) };
const membershipSchema = Type.Object(
  {
    id: uuid(),
    userId: uuid(),
    tenantId: uuid(),
    role: heldRole(),
    roleId: nullable(ownRoleId()),
    permissions: ownPermissions(),
    active: flag(),
    status: membershipStatus(),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Membership' },
);

const membershipList: ListDefinition = {
  fields: {
    userId: { type: 'uuid' },
    role: { type: 'choice', choices: HELD_ROLES },
    roleId: { type: 'uuid' },
    active: { type: 'boolean' },
    status: { type: 'choice', choices: MEMBERSHIP_STATUSES },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'createdAt',
};

function toJson(membership: Membership) {
  return Membership.toJson({ ...membership });
}

export const routes: Route[] = [
  listRoute({
    path: '/api/memberships',
    id: 'listMemberships',
    summary: 'The memberships of the company; of one user with ?userId=',
    tag: TAG,
    access: Membership.access,
    list: membershipList,
    row: membershipSchema,
    ids: ['id', 'userId'],
    rows: () => ({
      from: `(${MEMBERSHIPS_SQL}) as memberships`,
      toJson: (row: object) => toJson(Membership.fromDatabaseJson(row)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/memberships/tenants-for-user',
    id: 'listTenantsForUser',
    summary: 'The companies of a user',
    problems: ['not_found'],
    description: 'For other users, only companies where the caller is owner or admin. An unknown e-mail has none.',
    tag: TAG,
    access: Membership.access,
    transaction: 'none',
    query: Type.Object({
      email: email(),
      page: Type.Optional(integer({ minimum: 1, default: 1 })),
      limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: 50 })),
    }),
    responses: { 200: listBody(sessionMembers.tenants.items) },
    handler: async ({ ctx, deps, query }) => {
      const tenants = await tenantsForUser(deps.database, ctx, query.email);
      return listAnswer(pageResult(tenants, Number(query.page ?? 1), Number(query.limit ?? 50)), (tenant) => tenant);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/memberships',
    id: 'createMembership',
    summary: 'Add somebody to the company',
    problems: ['duplicate'],
    description:
      'Send either userId or email. They are invited by e-mail: `status` is `invited` until they accept, and the answer does not ' +
      `reveal whether an account exists. Callers who are also owner
          or admin of the account's company add it at once; only such accounts can be named by userId.`,
    tag: TAG,
    access: 'memberships:create',
    body: Type.Object({ userId: Type.Optional(uuid()), email: Type.Optional(email()), ...chosen }),
    responses: { 201: dataBody(membershipSchema) },
    handler: async ({ db, ctx, caller, body }) => {
      const membership = await createMembership(db, ctx, caller, body);
      return created(`/api/memberships/${membership.id}`, toJson(membership));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/memberships/:id',
    id: 'getMembership',
    summary: 'One membership of the company',
    description: 'The user and their role.',
    tag: TAG,
    access: Membership.access,
    params: Id,
    responses: { 200: dataBody(membershipSchema) },
    handler: async ({ reader, params }) => ok(toJson(await getMembership(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/memberships/:id',
    id: 'changeMembership',
    whenFull: 'reserve',
    summary: 'Change the role of a membership, or whether it is active',
    problems: ['last_owner', 'invalid_transition'],
    description: 'Takes effect at the next request of the user. Only owners can change owners; the last one stays.',
    tag: TAG,
    access: 'memberships:update',
    params: Id,
    body: Type.Object({ ...chosen, active: Type.Optional(flag()) }),
    responses: { 200: dataBody(membershipSchema) },
    handler: async ({ db, ctx, caller, params, body, ifMatch }) =>
      ok(toJson(await changeMembership(db, ctx, caller, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/memberships/:id',
    id: 'deleteMembership',
    summary: 'End a membership',
    problems: ['last_owner'],
    description:
      'The user loses access to the company from the next request on; an invitation is withdrawn. The last owner stays. If the user ' +
      'created API keys that still work, the answer lists them.',
    tag: TAG,
    access: 'memberships:delete',
    params: Id,
    responses: { 200: remainingKeysSchema, 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) =>
      remainingKeysAnswer(await deleteMembership(db, ctx, caller, params.id, ifMatch)),
  }),
];
