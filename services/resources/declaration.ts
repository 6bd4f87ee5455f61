/**
 * Master data is declared: from one declaration follow list, detail, create, change, delete and import, with validation,
 * references, audit, versions, filters and their description. What is special about a resource stands in its hooks.
 */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import type { TenantModel, TenantModelClass } from '../../db/models/base.ts';
import type { ListField } from '../../db/queries/list.ts';
import type { CustomFieldTable } from '../../domain/custom-fields.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Resource } from '../../domain/permissions.ts';
import type { ResourceFields, Row } from './fields.ts';

/** The transaction and circumstances of a hook. */
export interface HookScope {
  readonly trx: Db;
  readonly ctx: Context;
  /** Of who changes it. */
  readonly role: string;
}

export interface Parent {
  readonly member: string;
  readonly table: string;
  /** As a 404 begins: This partner. */
  readonly words: string;
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
  /** Filters of the list that are no fields. */
  readonly filters?: Readonly<Record<string, ListField>>;
  /** Whose custom fields the records take; their model has a column `custom`. */
  readonly customFields?: CustomFieldTable;
  /** The name of the path's parameter for the resource's own id (default `id`). */
  readonly idParameter?: string;
  /** The members by which a record is known besides its id, for imports (default `code`, where there is one). */
  readonly naturalKey?: readonly string[];
  /** What the resource is a part of: the path's `:id` is the parent's, and `member` (a field never written) holds it. */
  readonly parent?: Parent;
  /** Codes with which its hooks refuse what is written, besides `duplicate` and, of deletions, `in_use`. */
  readonly problems?: readonly ErrorCode[];
  /** Takes what must be locked before the row itself, for every write. */
  readonly lock?: (scope: HookScope) => Promise<void>;
  /** With a field `isDefault`: the members within whose values there is one default, none for the whole tenant. */
  readonly oneDefaultPer?: readonly string[];
  /** True where rows show what changes without a new version. */
  readonly live?: boolean;
  /** Completes and checks what is created. @throws ServiceError */
  readonly onCreate?: (scope: HookScope, values: Row) => Promise<Row>;
  /** Completes and checks a change; `current` is locked. @throws ServiceError */
  readonly onPatch?: (scope: HookScope, values: Row, current: M) => Promise<Row>;
  /** Refuses a deletion that foreign keys would let pass. @throws ServiceError */
  readonly onDelete?: (scope: HookScope, current: M) => Promise<void>;
}

/** Declares a resource; its only work is to infer the model that the hooks receive. */
export function declareResource<M extends TenantModel>(declaration: ResourceDeclaration<M>): ResourceDeclaration {
  return declaration as unknown as ResourceDeclaration;
}
