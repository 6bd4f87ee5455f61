/**
 * Declarations of master data. From one declaration follow list, detail, create, change, delete and import, with validation, references,
 * audit, versions, filters and documentation. Special rules of a resource are its hooks.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import type { TenantModel, TenantModelClass } from '../../../db/models/base.ts';
import type { ListField } from '../../../db/queries/list.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import type { Resource } from '../../../domain/permissions.ts';
import type { CustomFieldTable } from '../../../domain/records/custom-fields.ts';
import type { ResourceFields, Row } from './field.ts';

/** Transaction and circumstances of a hook. */
export interface HookScope {
  readonly trx: Db;
  readonly ctx: Context;
  /** Role of the caller. */
  readonly role: string;
}

export interface Parent {
  readonly member: string;
  readonly table: string;
  /** Start of a 404's message: This partner. */
  readonly phrase: string;
}

/**
 * Members kept in rows of another table, because they have a history of their own or are for the eyes of few (`ResourceField.apart`).
 * Rows are read with them from views.
 */
export interface Apart<M extends TenantModel = TenantModel> {
  /** Model of the rows that hold them. */
  readonly model: TenantModelClass;
  /** Permission required to see the guarded members. */
  readonly permission: Resource;
  /** Models from which rows are read: without the guarded members, and with all. */
  readonly views: { readonly shown: TenantModelClass; readonly guarded: TenantModelClass };
  /** Writes them for a new row. @throws ServiceError */
  readonly create: (scope: HookScope, row: M, values: Row) => Promise<void>;
  /**
   * Changes them, before the row itself is changed.
   * @param values those that are given
   * @param next what is changed of the row itself
   * @returns members of the row itself to change besides
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
  readonly permission: Resource;
  readonly model: TenantModelClass<M>;
  readonly fields: ResourceFields;
  readonly defaultSort: string;
  /** Filters of the list that are not fields. */
  readonly filters?: Readonly<Record<string, ListField>>;
  /** The table of its custom fields; its model has a column `custom`. */
  readonly customFields?: CustomFieldTable;
  /** The name of the path's parameter for the resource's own id (default `id`). */
  readonly idParameter?: string;
  /** Members that identify a record besides its id, for imports (default `code`, where there is one). */
  readonly naturalKey?: readonly string[];
  /** The parent of a nested resource: the path's `:id` is the parent's, and `member` (a field never written) holds it. */
  readonly parent?: Parent;
  /** Codes with which its hooks refuse writes, besides `duplicate` and, for deletions, `in_use`. */
  readonly problems?: readonly ErrorCode[];
  /** Takes locks that must precede the row's own, for every write. */
  readonly lock?: (scope: HookScope) => Promise<void>;
  /** With a field `isDefault`: there is one default per value of these members; an empty list means one per tenant. */
  readonly oneDefaultPer?: readonly string[];
  readonly apart?: Apart<M>;
  /** True when rows show data that changes without a new version. */
  readonly live?: boolean;
  /** Completes and checks what is created. @throws ServiceError */
  readonly onCreate?: (scope: HookScope, values: Row) => Promise<Row>;
  /** Completes and checks a change; `current` is locked. @throws ServiceError */
  readonly onPatch?: (scope: HookScope, values: Row, current: M) => Promise<Row>;
  /** Refuses a deletion that foreign keys would allow. @throws ServiceError */
  readonly onDelete?: (scope: HookScope, current: M) => Promise<void>;
}

/** Declares a resource; its only work is to infer the model that the hooks receive. */
export function declareResource<M extends TenantModel>(declaration: ResourceDeclaration<M>): ResourceDeclaration {
  return declaration as unknown as ResourceDeclaration;
}
