/** Routes for invitees. */
import { Type } from 'typebox';
import { pageResult } from '../../../db/queries/run-list.ts';
import {
  type AcceptEnv,
  acceptAsUser,
  acceptByToken,
  declineAsUser,
  declineByToken,
  invitationsFor,
} from '../../../services/access/invitations/accept.ts';
import { dataBody, instant, listBody, text, uuid, verbatim } from '../../../services/platform/validation/schemas.ts';
import { listAnswer } from '../../lists/list.ts';
import { noContent, ok } from '../../respond.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { requireUser } from '../sessions/routes.ts';
import { heldRole, newPassword } from '../sessions/schemas.ts';

const TAG = 'Authentication';
const Id = Type.Object({ id: uuid() });
const token = () => verbatim({ max: 1024, description: 'From the mail' });
const invitationForMe = Type.Object(
  { id: uuid(), tenantName: text(), role: heldRole(), createdAt: instant(), expiresAt: instant() },
  { title: 'InvitationForMe' },
);
const accepted = Type.Object(
  { membershipId: uuid(), userId: uuid(), tenantId: uuid(), tenantName: text(), role: heldRole() },
  { title: 'AcceptedInvitation' },
);

function acceptEnv({ deps, requestId }: { readonly deps: Deps; readonly requestId: string }): AcceptEnv {
  return { database: deps.database, now: deps.now(), requestId };
}

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/auth/invitations/accept',
    id: 'acceptInvitationByToken',
    summary: 'Accept an invitation by the link in its mail',
    problems: ['invalid_token', 'token_expired', 'duplicate'],
    description:
      'Verifies the e-mail. Unless it was verified before, the account needs a new password, and all its sessions end; an account with ' +
      'a verified e-mail keeps its password. Log in afterwards.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({ token: token(), password: Type.Optional(newPassword()) }),
    responses: { 200: dataBody(accepted) },
    handler: async (request) => ok(await acceptByToken(acceptEnv(request), request.body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/invitations/decline',
    id: 'declineInvitationByToken',
    summary: 'Decline an invitation by the link in its mail',
    problems: ['invalid_token', 'token_expired'],
    description: 'The company learns only that the invitation was declined.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({ token: token() }),
    responses: { 204: null },
    handler: async (request) => {
      await declineByToken(acceptEnv(request), request.body.token);
      return noContent();
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/auth/invitations',
    id: 'listMyInvitations',
    summary: 'The invitations that you can answer',
    problems: ['forbidden'],
    description: 'Invitations to your e-mail; none until it is verified.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    responses: { 200: listBody(invitationForMe) },
    handler: async (request) => {
      const found = await invitationsFor(acceptEnv(request), requireUser(request.caller).userId);
      return listAnswer(pageResult(found, 1, Math.max(1, found.length)), (one) => one);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/invitations/:id/accept',
    id: 'acceptInvitation',
    summary: 'Accept an invitation',
    problems: ['forbidden', 'duplicate'],
    description: 'For accounts whose e-mail is verified. Switch to the company afterwards.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    params: Id,
    responses: { 200: dataBody(accepted) },
    handler: async (request) =>
      ok(await acceptAsUser(acceptEnv(request), requireUser(request.caller).userId, request.params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/invitations/:id/decline',
    id: 'declineInvitation',
    summary: 'Decline an invitation',
    problems: ['forbidden'],
    description: 'The company learns only that the invitation was declined.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    params: Id,
    responses: { 204: null },
    handler: async (request) => {
      await declineAsUser(acceptEnv(request), requireUser(request.caller).userId, request.params.id);
      return noContent();
    },
  }),
];
