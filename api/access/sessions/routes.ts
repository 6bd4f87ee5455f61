import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import { changePassword } from '../../../services/access/accounts/change-password.ts';
import { describeCaller } from '../../../services/access/accounts/me.ts';
import { requestReset, resetPassword } from '../../../services/access/accounts/password-reset.ts';
import { login } from '../../../services/access/sessions/login.ts';
import { endSession, refreshSession, switchTenant } from '../../../services/access/sessions/sessions.ts';
import { nullable, text, uuid, verbatim } from '../../../services/platform/validation/schemas.ts';
import { authEnv } from '../../auth-env.ts';
import { type Caller, defineRoute, type Route } from '../../route.ts';
import {
  accessSchema,
  heldRole,
  newPassword,
  sessionMembers,
  sessionSchema,
  tenantSchema,
  userSchema,
} from './schemas.ts';

const TAG = 'Authentication';
/** Answers with tokens must not be cached. */
const NO_STORE = { 'Cache-Control': 'no-store' };

/** The user and session of a caller. @throws ServiceError forbidden for API keys */
export function requireUser(caller: Caller): { userId: string; sessionId: string } {
  if (caller.userId === null || caller.sessionId === null) {
    throw new ServiceError('forbidden', 'This requires a user; an API key cannot do it');
  }
  return { userId: caller.userId, sessionId: caller.sessionId };
}

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/auth/login',
    id: 'login',
    summary: 'Log in with e-mail and password',
    problems: ['invalid_credentials', 'not_a_member'],
    description:
      'Five failures for one e-mail from one address, or twenty from one address, within 15 minutes lead to 429 until that time is ' +
      'over; so do fifty for one e-mail within an hour, except from addresses where its owner has logged in before.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({ email: text({ max: 254 }), password: verbatim({ max: 1024 }) }),
    responses: { 200: sessionSchema },
    handler: async ({ body, deps, ip }) => ({
      status: 200,
      body: await login(authEnv(deps), body, ip),
      headers: NO_STORE,
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/refresh',
    id: 'refreshToken',
    summary: 'Exchange a refresh token for new tokens',
    problems: ['invalid_token', 'token_expired', 'not_a_member'],
    description:
      'Each refresh token works once. When one is used again, all tokens descending from its login are revoked; 90 days after the ' +
      'login they expire in any case. The new tokens are for the same company, or for the one in `tenantId`.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({
      refresh_token: verbatim({ max: 1024 }),
      tenantId: Type.Optional(uuid({ description: "The company to continue in, one of the user's" })),
    }),
    responses: { 200: sessionSchema },
    handler: async ({ body, deps }) => ({
      status: 200,
      body: await refreshSession(authEnv(deps), body.refresh_token, body.tenantId ?? undefined),
      headers: NO_STORE,
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/logout',
    id: 'logout',
    whenFull: 'works',
    summary: 'End the session',
    problems: ['forbidden'],
    description:
      'Revokes the refresh tokens of the session (or of the given one). Access tokens expire on their own, within minutes.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    body: Type.Object({ refresh_token: Type.Optional(verbatim({ max: 1024 })) }),
    bodyOptional: true,
    responses: { 204: null },
    handler: async ({ body, caller, deps }) => {
      const { userId, sessionId } = requireUser(caller);
      await endSession(authEnv(deps), userId, { sessionId, refreshToken: body?.refresh_token });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/auth/me',
    id: 'whoAmI',
    summary: 'The caller: user, company, role and permissions',
    description: 'The user or API key, its company, and its permissions there.',
    tag: TAG,
    access: 'member',
    responses: {
      200: Type.Object(
        {
          user: Type.Union([userSchema, Type.Null()], { description: 'null for an API key' }),
          tenant: tenantSchema,
          role: heldRole(),
          permissions: Type.Array(text()),
          tenants: sessionMembers.tenants,
          apiKeyId: nullable(uuid()),
          pluginId: nullable(uuid({ description: 'The calling plugin; null for others' })),
        },
        { title: 'Caller' },
      ),
    },
    handler: async ({ ctx, caller, deps }) => ({
      status: 200,
      body: await describeCaller(deps.database, { ...caller, tenantId: ctx.tenantId }),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/change-password',
    id: 'changePassword',
    whenFull: 'works',
    summary: 'Change your password',
    problems: ['invalid_credentials', 'forbidden'],
    description: 'All other sessions of the user end.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    body: Type.Object({ currentPassword: verbatim({ max: 1024 }), newPassword: newPassword() }),
    responses: { 204: null },
    handler: async ({ body, ctx, caller, deps, ip }) => {
      const { sessionId } = requireUser(caller);
      await changePassword(deps.database, ctx, { ...body, sessionId, address: ip });
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/forgot-password',
    id: 'forgotPassword',
    summary: 'Ask for a new password by mail',
    description:
      'The answer and its time are the same whether or not the address has an account. The link in the mail is valid for one hour and ' +
      'one use; a new request voids earlier links. Five requests for one e-mail within an hour, or twenty from one address within 15 ' +
      'minutes, lead to 429.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({ email: text({ max: 254 }) }),
    responses: { 204: null },
    handler: async ({ body, deps, ip, requestId }) => {
      await requestReset({ database: deps.database, now: deps.now(), requestId }, body.email, ip);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/reset-password',
    id: 'resetPassword',
    summary: 'Choose a new password with the link in a mail',
    problems: ['invalid_token', 'token_expired'],
    description: 'Ends all sessions of the user, and verifies their e-mail. Log in afterwards.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({ token: verbatim({ max: 1024, description: 'From the mail' }), password: newPassword() }),
    responses: { 204: null },
    handler: async ({ body, deps, requestId }) => {
      await resetPassword({ database: deps.database, now: deps.now(), requestId }, body);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/auth/switch-tenant',
    id: 'switchTenant',
    whenFull: 'works',
    summary: 'Work in another company without a new login',
    problems: ['forbidden', 'not_found'],
    description:
      'Returns an access token for the given company. The session and its refresh token stay the same: exchange that token with ' +
      '`tenantId` to stay in this company.',
    tag: TAG,
    access: 'member',
    transaction: 'none',
    body: Type.Object({ tenantId: uuid() }),
    responses: { 200: accessSchema },
    handler: async ({ body, caller, deps }) => ({
      status: 200,
      body: await switchTenant(authEnv(deps), requireUser(caller), body.tenantId),
      headers: NO_STORE,
    }),
  }),
];
