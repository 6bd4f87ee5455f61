/**
 * Decides what a set of permissions may read: one rule for lists, files, comments, attachments, mails, notifications, automations and the
 * audit log (decision 0230). Models declare it (`access`, `privateFields`).
 */
import type { TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import { ENTITIES } from '../../../db/models/entities.ts';
import type { PrivateFields, ReadAccess } from '../../../domain/permissions.ts';

export type Permissions = ReadonlySet<string>;

/**
 * Whether all records of a type may be read, and a member of them if one is named. False for unknown types, and for records that only their
 * owner or the readers of another record may read.
 */
export function canRead(permissions: Permissions, entityType: string, member?: string): boolean {
  const { access, privateFields = {} } = ENTITIES.get(entityType) ?? {};
  if (access === undefined || !permissions.has(access)) return false;
  return member === undefined || !hiddenMembers(privateFields, permissions).includes(member);
}

/** The entity types whose records, and a member of them if one is named, may be read. */
export function readableTypes(permissions: Permissions, member?: string): string[] {
  return [...ENTITIES.keys()].filter((entityType) => canRead(permissions, entityType, member));
}

/** The member of a record whose readers see what belongs to it; undefined if all readers of the record do. */
export function subjectMember(access: ReadAccess | undefined): string | undefined {
  return access?.split('.')[1];
}

/** The private members that these permissions do not show. */
export function hiddenMembers(privateFields: PrivateFields, permissions: Permissions): string[] {
  return Object.keys(privateFields).filter((member) => !permissions.has(privateFields[member] as string));
}

/** Models that show null for private members, by model and hidden members. There are few: row forms are compiled for each. */
const concealing = new WeakMap<object, Map<string, TenantModelClass>>();

/** The model that shows its rows to a reader: itself, or one with null for the members that they may not see. */
export function shownTo<M extends TenantModel>(
  model: TenantModelClass<M>,
  permissions: Permissions,
): TenantModelClass<M> {
  const hidden = hiddenMembers(model.privateFields, permissions);
  if (hidden.length === 0) return model;
  const known = concealing.get(model) ?? new Map<string, TenantModelClass>();
  concealing.set(model, known);
  const key = hidden.join();
  const made = known.get(key) ?? concealed(model, hidden);
  known.set(key, made);
  return made as TenantModelClass<M>;
}

function concealed(model: TenantModelClass, members: readonly string[]): TenantModelClass {
  abstract class Concealed extends (model as unknown as typeof TenantModel) {
    static override concealed = members;
  }
  return Concealed as unknown as TenantModelClass;
}
