/** Companies, people and their ways in. Users are global rows: what a company sees of them goes through its memberships. */
import type { Role } from '../../domain/permissions.ts';
import { TenantModel } from './base.ts';

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
  declare email: string;
  declare name: string;
  declare locale: string | null;
  declare active: boolean;
  declare lastLoginAt: string | null;
}

export class Membership extends TenantModel {
  static override tableName = 'memberships';
  static override entityType = 'Membership';
  static override hidden: readonly string[] = [];
  declare userId: string;
  declare role: Role;
  declare active: boolean;
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
}

export class Setting extends TenantModel {
  static override tableName = 'settings';
  static override entityType = 'Setting';
  declare name: string;
  declare value: Record<string, unknown>;
}
