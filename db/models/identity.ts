/** Companies, people and their ways in. Users are global rows: what a company sees of them goes through its memberships. */
import type { Role } from '../../domain/permissions.ts';
import { type Presented, TenantModel } from './base.ts';

export class Tenant extends TenantModel {
  static override tableName = 'tenants';
  static override entityType = 'Tenant';
  declare name: string;
  declare slug: string;
  declare taxId: string;
  declare country: string;
  declare currency: string;
}

export class User extends TenantModel {
  static override tableName = 'users';
  static override entityType = 'User';
  static override hidden: readonly string[] = ['tenantId', 'homeTenantId'];
  declare email: string;
  declare name: string;
  declare locale: string | null;
  declare active: boolean;
  declare lastLoginAt: string | null;
  /** null while nobody has shown that the address is theirs: the account belongs to its home company until then. */
  declare emailVerifiedAt: string | null;
  /** The company that has made the account. */
  declare homeTenantId: string | null;

  static override present(row: Presented): Presented {
    const { emailVerifiedAt, ...shown } = super.present(row);
    return { ...shown, emailVerified: (emailVerifiedAt ?? null) !== null };
  }
}

export const MEMBERSHIP_STATUSES = ['invited', 'active', 'locked'] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

export class Membership extends TenantModel {
  static override tableName = 'memberships';
  static override entityType = 'Membership';
  static override hidden: readonly string[] = [];
  declare userId: string;
  declare role: Role;
  declare active: boolean;
  /** Only of an invitation that is shown as the membership which it may become. */
  declare status: MembershipStatus | undefined;

  static override present(row: Presented): Presented {
    const { status, ...shown } = super.present(row);
    return { ...shown, status: status ?? (row.active === true ? 'active' : 'locked') };
  }
}

/** Somebody who is to come into the company: what it has named of them, whether they have an account or not. */
export class Invitation extends TenantModel {
  static override tableName = 'invitations';
  static override entityType = 'Invitation';
  static override hidden: readonly string[] = ['tenantId', 'mails', 'mailId', 'mailedAt', 'tokenHash', 'settledAt'];
  /** The id that an account gets which comes of it. */
  declare userId: string;
  declare email: string;
  declare name: string;
  declare locale: string | null;
  declare role: Role;
  declare status: 'pending' | 'accepted' | 'declined' | 'withdrawn';
  declare invitedBy: string | null;
  /** When its last mail was asked for. */
  declare lastMailAt: string;
  declare expiresAt: string;
  /** How many mails were asked for. */
  declare mails: number;
  /** The last mail: its token follows from this and a secret of the service. */
  declare mailId: string;
  declare mailedAt: string | null;
  declare tokenHash: Buffer | null;
  declare settledAt: string | null;
}

export class ApiKey extends TenantModel {
  static override tableName = 'api_keys';
  static override entityType = 'ApiKey';
  static override hidden: readonly string[] = ['tenantId', 'keyHash'];
  declare name: string;
  declare role: Role;
  declare keyHash: Buffer;
  declare expiresAt: string | null;
  declare createdBy: string | null;
  /** Kept, since a company does not see the accounts of those who have left. */
  declare createdByName: string | null;
  declare lastUsedAt: string | null;
}

export class Setting extends TenantModel {
  static override tableName = 'settings';
  static override entityType = 'Setting';
  declare name: string;
  declare value: Record<string, unknown>;
}
