import { Type } from 'typebox';
import { Membership, User } from '../../../db/models/access/access.ts';
import { getMember, type Member } from '../../../services/access/members/members.ts';
import { changeUser, createUser, deleteUser } from '../../../services/access/users/users.ts';
import { dataBody, email, flag, label, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { remainingKeysAnswer, remainingKeysSchema } from '../api-keys/schemas.ts';
import { heldRole, membershipStatus, newPassword, ownRoleId, role, userMembers } from '../sessions/schemas.ts';
import { userList, userRows } from './list.ts';

const TAG = 'Users';
const Id = Type.Object({ id: uuid() });
const userOfCompany = Type.Object(
  {
    ...userMembers,
    role: heldRole(),
    roleId: nullable(ownRoleId()),
    membershipId: uuid({ description: 'The membership in this company' }),
    status: membershipStatus(),
  },
  { title: 'UserOfCompany' },
);
const Shown = dataBody(userOfCompany);
const locale = () => nullable(text({ max: 35, description: 'BCP 47, for example es-ES' }));

function toJson({ user, membership }: Member) {
  const { status } = Membership.toJson({ ...membership });
  return {
    ...User.toJson({ ...user }),
    role: membership.role,
    roleId: membership.roleId,
    membershipId: membership.id,
    status,
  };
}

export const routes: Route[] = [
  listRoute({
    path: '/api/users',
    id: 'listUsers',
    summary: 'The users of the company',
    tag: TAG,
    access: User.access,
    list: userList,
    row: userOfCompany,
    rows: userRows,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/users',
    id: 'createUser',
    summary: 'Create a user of the company',
    problems: ['duplicate', 'forbidden'],
    description:
      'With a password, the account belongs to the company until its e-mail is verified. Without one, or if the e-mail has an account ' +
      'that does not belong to the company, the person is invited by e-mail: `status` is `invited` until they accept, and the answer ' +
      'does not reveal whether an account exists. The role defaults to viewer.',
    tag: TAG,
    access: 'users:create',
    body: Type.Object({
      email: email(),
      name: label(),
      locale: Type.Optional(locale()),
      password: Type.Optional(newPassword()),
      role: Type.Optional(role()),
      roleId: Type.Optional(ownRoleId()),
    }),
    responses: { 201: Shown },
    hashesPassword: true,
    handler: async ({ db, ctx, caller, body, passwordHash }) => {
      const { password: _, ...named } = body;
      const member = await createUser(db, ctx, caller, { ...named, passwordHash });
      return created(`/api/users/${member.user.id}`, toJson(member));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/users/:id',
    id: 'getUser',
    summary: 'One user of the company',
    description: 'With the role and the membership in this company.',
    tag: TAG,
    access: User.access,
    params: Id,
    responses: { 200: Shown },
    handler: async ({ reader, params }) => ok(toJson(await getMember(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/users/:id',
    id: 'changeUser',
    whenFull: 'reserve',
    summary: "Change a user's account",
    problems: ['duplicate', 'forbidden', 'last_owner', 'invalid_transition'],
    description:
      'Requires users:update, except for your own name and locale. An account with a verified e-mail can be changed only by its owner; ' +
      'another account only by the company that created it and, if it also works in other companies, only by callers who are owner or ' +
      'admin in all of them. For invitees, name and locale can be changed.',
    tag: TAG,
    access: 'member',
    params: Id,
    body: Type.Object({
      email: Type.Optional(email()),
      name: Type.Optional(label()),
      locale: Type.Optional(locale()),
      active: Type.Optional(flag()),
      password: Type.Optional(newPassword()),
    }),
    responses: { 200: Shown },
    hashesPassword: true,
    handler: async ({ db, ctx, caller, params, body, passwordHash, ifMatch }) => {
      const { password: _, ...named } = body;
      const changes = { ...named, ...(passwordHash === null ? {} : { passwordHash }) };
      return ok(toJson(await changeUser(db, ctx, caller, params.id, changes, ifMatch)));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/users/:id',
    id: 'deleteUser',
    summary: 'Remove a user from the company',
    problems: ['last_owner', 'forbidden'],
    description:
      'Ends the membership, or the invitation; a user without another membership is deactivated. If they created API keys that still ' +
      'work, the answer lists them.',
    tag: TAG,
    access: 'users:delete',
    params: Id,
    responses: { 200: remainingKeysSchema, 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) =>
      remainingKeysAnswer(await deleteUser(db, ctx, caller, params.id, ifMatch)),
  }),
];
