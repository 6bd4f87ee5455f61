import { Type } from 'typebox';
import { MEMBERSHIP_STATUSES } from '../../../db/models/access/access.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/access/accounts/password.ts';
import { CUSTOM, type HeldRole } from '../../../domain/grants.ts';
import { ROLES, type Role } from '../../../domain/permissions.ts';
import {
  choice,
  email,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
  verbatim,
} from '../../../services/platform/validation/schemas.ts';

export const ROLE_NAMES = Object.keys(ROLES) as Role[];

export const membershipStatus = () =>
  choice(MEMBERSHIP_STATUSES, { description: 'invited: not accepted yet; locked: the membership is not active' });

export const role = () => choice(ROLE_NAMES, { description: 'See GET /api/roles' });

/** The roles that members and keys may have. */
export const HELD_ROLES: readonly HeldRole[] = [...ROLE_NAMES, CUSTOM];

export const heldRole = () =>
  choice(HELD_ROLES, {
    description: "See GET /api/roles; custom: a role of the company's own, or permissions of its own",
  });

/** Permissions of a role of the company's own, which those who have it carry. */
export const ownPermissions = () =>
  nullable(Type.Array(text(), { description: "Those of a role of the company's own; null for other roles" }));

/** A role of the company's own, chosen in place of one that every company has. */
export const ownRoleId = () => uuid({ description: "A role of the company's own, in place of role (GET /api/roles)" });

/** A new password. Its length is checked again after normalization (domain/access/accounts/password.ts). */
export const newPassword = () => ({
  ...verbatim({ max: PASSWORD_MAX, description: `${PASSWORD_MIN} to ${PASSWORD_MAX} characters` }),
  minLength: PASSWORD_MIN,
});

export const userMembers = {
  id: uuid(),
  email: email(),
  name: text(),
  locale: nullable(text({ max: 35, description: 'BCP 47, for example es-ES' })),
  active: flag(),
  emailVerified: flag(),
  lastLoginAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const userSchema = Type.Object(userMembers, { title: 'User' });

export const tenantMembers = {
  id: uuid(),
  name: text(),
  slug: text(),
  taxId: text(),
  country: text(),
  currency: text(),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const tenantSchema = Type.Object(tenantMembers, { title: 'Tenant' });

export const sessionMembers = {
  token: text({ max: 4000, description: 'Send it as Authorization: Bearer <token>' }),
  expires_in: integer({ description: 'Lifetime of the token in seconds' }),
  refresh_token: text({ description: 'Exchanged once for new tokens at POST /api/auth/refresh' }),
  user: userSchema,
  tenants: Type.Array(Type.Object({ id: uuid(), name: text(), role: heldRole() }), {
    description: 'The companies of the user; send the id as x-tenant-id',
  }),
};

const { refresh_token: _once, ...accessMembers } = sessionMembers;

/** Answer of switch-tenant, without a refresh token: a session has a single chain of them, which starts at its login. */
export const accessSchema = Type.Object(accessMembers, { title: 'Access' });

export const sessionSchema = Type.Object(sessionMembers, { title: 'Session' });
