import { Type } from 'typebox';
import { Invitation } from '../../../db/models/access/access.ts';
import { fragment } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  getInvitation,
  INVITATION_STATUSES,
  INVITATIONS_SQL,
  invitationToJson,
  resendInvitation,
  withdrawInvitation,
} from '../../../services/access/invitations/invitations.ts';
import {
  choice,
  dataBody,
  email,
  instant,
  integer,
  label,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { HELD_ROLES, heldRole, ownPermissions, ownRoleId } from '../sessions/schemas.ts';

const TAG = 'Invitations';
const Id = Type.Object({ id: uuid() });
const invitationSchema = Type.Object(
  {
    id: uuid({ description: "Also the membership's id once it is accepted" }),
    userId: uuid({ description: 'The invitee, as GET /api/users/{id} shows them until they accept' }),
    email: email(),
    name: label(),
    locale: nullable(text({ max: 35 })),
    role: heldRole(),
    roleId: nullable(ownRoleId()),
    permissions: ownPermissions(),
    status: choice(INVITATION_STATUSES, { description: 'expired: can be sent again' }),
    invitedBy: nullable(uuid()),
    lastMailAt: instant(),
    expiresAt: instant({ description: 'Time of expiry' }),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Invitation' },
);

const invitationList: ListDefinition = {
  fields: {
    email: { type: 'text', searchable: true },
    name: { type: 'text', searchable: true },
    role: { type: 'choice', choices: HELD_ROLES },
    status: { type: 'choice', choices: INVITATION_STATUSES },
    expiresAt: { type: 'instant' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-createdAt',
};

export const routes: Route[] = [
  listRoute({
    path: '/api/invitations',
    id: 'listInvitations',
    summary: 'Invitations of the company',
    description: 'POST /api/users and POST /api/memberships create them.',
    tag: TAG,
    access: Invitation.access,
    list: invitationList,
    row: invitationSchema,
    rows: ({ ctx }) => ({
      from: fragment(`(${INVITATIONS_SQL}) as invitations`, ctx.now.toISOString()),
      toJson: (row: object) => invitationToJson(Invitation.fromDatabaseJson(row), ctx.now),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/invitations/:id',
    id: 'getInvitation',
    summary: 'One invitation',
    description: 'The invitee and the outcome.',
    tag: TAG,
    access: Invitation.access,
    params: Id,
    responses: { 200: dataBody(invitationSchema) },
    handler: async ({ reader, ctx, params }) => ok(invitationToJson(await getInvitation(reader, params.id), ctx.now)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/invitations/:id/resend',
    id: 'resendInvitation',
    summary: 'Send the mail of an invitation again',
    problems: ['invalid_transition', 'stale_version'],
    description:
      'The new mail can be accepted for seven days; the previous one is void. A company can send five mails a day to one address, and ' +
      '500 in total.',
    tag: TAG,
    access: 'memberships:create',
    params: Id,
    responses: { 200: dataBody(invitationSchema) },
    handler: async ({ db, ctx, caller, params, ifMatch }) =>
      ok(invitationToJson(await resendInvitation(db, ctx, caller, params.id, ifMatch), ctx.now)),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/invitations/:id',
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    problems: ['invalid_transition'],
    description: 'The mail that was sent becomes void. The invitation stays in the list.',
    tag: TAG,
    access: 'memberships:delete',
    params: Id,
    responses: { 204: null },
    handler: async ({ db, ctx, caller, params, ifMatch }) => {
      await withdrawInvitation(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
];
