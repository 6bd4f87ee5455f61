/** Companies, people and their credentials. Users are global rows, which a company sees through its memberships. */
import type { HeldRole } from '../../../domain/grants.ts';
import type { JsonRow } from '../base.ts';
import { bytes, flag, instant, integer, json, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Tenant extends versionedTable('tenants', {
  name: text(),
  slug: text(),
  /** With which ids of its workflows begin; null for companies of version 1.0.0. */
  shortName: optional(text()),
  taxId: text(),
  country: text(),
  currency: text(),
  /** The account that answers for its creation; null for companies of version 1.0.0. */
  founderId: optional(uuid()),
}) {
  static override entityType = 'Tenant';
  static override access = 'company:read' as const;
  static override isGlobal = true;
  static override hidden: readonly string[] = ['tenantId', 'founderId', 'shortName'];
}

export class User extends versionedTable('users', {
  email: text(),
  name: text(),
  locale: optional(text()),
  active: flag(),
  lastLoginAt: optional(instant()),
  /** null until the person proves that they own the address; until then the account belongs to its home company. */
  emailVerifiedAt: optional(instant()),
  /** The company that created the account. */
  homeTenantId: optional(uuid()),
}) {
  static override entityType = 'User';
  static override access = 'users:read' as const;
  static override isGlobal = true;
  static override hidden: readonly string[] = ['tenantId', 'homeTenantId'];

  static override toJson(row: JsonRow): JsonRow {
    const { emailVerifiedAt, ...shown } = super.toJson(row);
    return { ...shown, emailVerified: (emailVerifiedAt ?? null) !== null };
  }
}

/** A role of the company's own: a name for a set of permissions. */
export class OwnRole extends versionedTable('roles', {
  name: text(),
  permissions: list<readonly string[]>(),
}) {
  static override entityType = 'Role';
  static override access = 'roles:read' as const;
}

export const MEMBERSHIP_STATUSES = ['invited', 'active', 'locked'] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

export class Membership extends versionedTable('memberships', {
  userId: uuid(),
  role: text<HeldRole>(),
  /** The role of the company's own, whose permissions these are; null for others. */
  roleId: optional(uuid()),
  permissions: optional(list<readonly string[]>()),
  active: flag(),
}) {
  static override entityType = 'Membership';
  static override access = 'memberships:read' as const;
  static override hidden: readonly string[] = [];
  /** Only for an invitation shown as the membership that it offers. */
  declare status: MembershipStatus | undefined;

  static override toJson(row: JsonRow): JsonRow {
    const { status, ...shown } = super.toJson(row);
    return { ...shown, status: status ?? (row.active === true ? 'active' : 'locked') };
  }
}

/** An invitee: the data entered by the company, whether or not an account exists. */
export class Invitation extends versionedTable('invitations', {
  /** The id of the account to be created. */
  userId: uuid(),
  email: text(),
  name: text(),
  locale: optional(text()),
  role: text<HeldRole>(),
  roleId: optional(uuid()),
  permissions: optional(list<readonly string[]>()),
  status: text<'pending' | 'accepted' | 'declined' | 'withdrawn'>(),
  invitedBy: optional(uuid()),
  /** Time at which its last mail was requested. */
  lastMailAt: instant(),
  expiresAt: instant(),
  /** Number of requested mails. */
  mails: integer(),
  /** The latest mail: its token is derived from this and a secret of the service. */
  mailId: uuid(),
  mailedAt: optional(instant()),
  tokenHash: optional(bytes()),
  settledAt: optional(instant()),
}) {
  static override entityType = 'Invitation';
  static override access = 'memberships:read' as const;
  static override hidden: readonly string[] = ['tenantId', 'mails', 'mailId', 'mailedAt', 'tokenHash', 'settledAt'];
}

export class ApiKey extends versionedTable('api_keys', {
  name: text(),
  role: text<HeldRole>(),
  /** The role of the company's own that it has; null for others. */
  roleId: optional(uuid()),
  /** In place of those of a role; null otherwise. */
  permissions: optional(list<readonly string[]>()),
  keyHash: bytes(),
  expiresAt: optional(instant()),
  createdBy: optional(uuid()),
  /** Stored because a company does not see the accounts of users who have left. */
  createdByName: optional(text()),
  /** Owner who answers for it since its creator has left. */
  takenOverBy: optional(uuid()),
  /** Key that it was created with, and is deleted with. */
  madeWith: optional(uuid()),
  lastUsedAt: optional(instant()),
}) {
  static override entityType = 'ApiKey';
  static override access = 'api_keys:read' as const;
  static override hidden: readonly string[] = ['tenantId', 'keyHash', 'madeWith'];
}

export class Setting extends versionedTable('settings', {
  name: text(),
  value: json<Record<string, unknown>>(),
}) {
  static override entityType = 'Setting';
  static override access = 'config:read' as const;
}
