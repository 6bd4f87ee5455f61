/**
 * Declarations of master data. Each declaration provides list, detail, create, change, delete and import, with validation, references,
 * audit, versions, filters and documentation. Special rules of a resource are hooks.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import type { ListField } from '../../../db/queries/list.ts';
import type { ErrorCode, FieldError } from '../../../domain/errors.ts';
import { RESOURCES, type Resource } from '../../../domain/permissions.ts';
import type { WatchedRecord } from '../../../domain/platform/internal-events.ts';
import type { CustomFieldTable } from '../../../domain/records/custom-fields.ts';
import type { ResourceFields, Row } from './field.ts';

/** Transaction and context of a hook. */
export interface HookScope {
  readonly trx: Db;
  readonly ctx: Context;
  /** Role of the caller. */
  readonly role: string;
  /** Whether the rows come from a file: rules about new and changed records do not hear of them. */
  readonly isImport?: boolean;
}

export interface Parent {
  readonly member: string;
  readonly table: string;
  /** Start of the message of a 404: This partner. */
  readonly phrase: string;
}

/**
 * Members stored in another table, because they have a history or require a further permission (`ResourceField.apart`). Views join them to
 * the rows.
 */
export interface Apart<M extends TenantModel = TenantModel> {
  /** Model of the other table. */
  readonly model: TenantModelClass;
  /** Permission required to see the guarded members. */
  readonly permission: Resource;
  /** Models of the views: without the guarded members, and with all members. */
  readonly views: { readonly shown: TenantModelClass; readonly guarded: TenantModelClass };
  /** Writes them for a new row. @throws ServiceError */
  readonly create: (scope: HookScope, row: M, values: Row) => Promise<void>;
  /**
   * Changes them, before the row itself is changed.
   * @param values the given ones
   * @param next the changes of the row itself
   * @returns further changes of the row itself
   * @throws ServiceError
   */
  readonly change: (scope: HookScope, current: M, values: Row, next: Row) => Promise<Row>;
}

export interface ResourceDeclaration<M extends TenantModel = TenantModel> {
  /** Singular and plural, for titles and operation ids: Partner, Partners. */
  readonly name: string;
  readonly plural: string;
  readonly path: string;
  readonly tag: string;
  /** The resource of its permissions, from the model's `access`. */
  readonly permission: Resource;
  readonly model: TenantModelClass<M>;
  readonly fields: ResourceFields;
  readonly defaultSort: string;
  /** Further filters of the list, besides those of its fields. */
  readonly filters?: Readonly<Record<string, ListField>>;
  /** The table of its custom fields; its model has a column `custom`. */
  readonly customFields?: CustomFieldTable;
  /** Name of the path parameter with the resource's own id (default `id`). */
  readonly idParameter?: string;
  /** Members that identify a record in imports, besides its id (default `code`, if it has one). */
  readonly naturalKey?: readonly string[];
  /** Parent of a nested resource. `:id` in the path is the parent's, stored in `member` (a field that clients never write). */
  readonly parent?: Parent;
  /** Error codes of its hooks, besides `duplicate` and, for deletions, `in_use`. */
  readonly problems?: readonly ErrorCode[];
  /** Takes locks that must precede the lock of the row, for every write. */
  readonly lock?: (scope: HookScope) => Promise<void>;
  /** Members whose values each have one default, for resources with a field `isDefault`; an empty list means one per tenant. */
  readonly oneDefaultPer?: readonly string[];
  readonly apart?: Apart<M>;
  /** Whether rows show data that changes without a new version. */
  readonly live?: boolean;
  /** The name by which rules are triggered by new and changed rows. */
  readonly watched?: WatchedRecord;
  /** Completes and checks a new row. @throws ServiceError */
  readonly onCreate?: (scope: HookScope, values: Row) => Promise<Row>;
  /** Runs after a row is created, for example to notify people. */
  readonly onCreated?: (scope: HookScope, row: M) => Promise<void>;
  /** Completes and checks a change; `current` is locked. @throws ServiceError */
  readonly onPatch?: (scope: HookScope, values: Row, current: M) => Promise<Row>;
  /** Warnings about a row that was written anyway. */
  readonly warn?: (scope: HookScope, row: M) => Promise<readonly FieldError[]>;
  /** Refuses a deletion that foreign keys would allow. @throws ServiceError */
  readonly onDelete?: (scope: HookScope, current: M) => Promise<void>;
}

/**
 * Declares a resource; infers the type of the model for the hooks.
 * @throws Error if the model is not read by a permission of its own
 */
export function declareResource<M extends TenantModel>(
  declaration: Omit<ResourceDeclaration<M>, 'permission'>,
): ResourceDeclaration {
  const permission = RESOURCES.find((resource) => declaration.model.access === `${resource}:read`);
  if (permission === undefined) throw new Error(`${declaration.name} needs a permission to be read`);
  return { ...declaration, permission } as unknown as ResourceDeclaration;
}
