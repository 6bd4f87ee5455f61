/**
 * Master data is declared: one `defineResource` gives list, detail, create, change and delete, with validation, references,
 * audit, versions, filters and their description. What is special about a resource stands in its hooks.
 */
import { Type } from 'typebox';
import type { Context } from '../db/context.ts';
import type { Db } from '../db/database.ts';
import { fromRow, type TenantModel, type TenantModelClass } from '../db/models/base.ts';
import { type ListDefinition, type ListField, parseListQuery } from '../db/queries/list.ts';
import { runList } from '../db/queries/run-list.ts';
import { assertVersion, removeRow } from '../db/write.ts';
import { notFound } from '../domain/errors.ts';
import type { Resource } from '../domain/permissions.ts';
import { listAnswer, listParameters } from './list.ts';
import {
  answerSchema,
  createSchema,
  listDefinition,
  patchSchema,
  type ResourceFields,
  type Row,
} from './resource-fields.ts';
import { changeOne, createOne } from './resource-rows.ts';
import { created, noContent, ok } from './respond.ts';
import { type Caller, defineRoute, type Route } from './route.ts';
import { dataOf, listOf, uuid } from './schemas.ts';

/** The transaction and circumstances of a hook. */
export interface HookScope {
  readonly trx: Db;
  readonly ctx: Context;
  readonly caller: Caller;
}

interface Parent {
  readonly member: string;
  readonly table: string;
  /** As a 404 begins: This partner. */
  readonly words: string;
}

export interface ResourceDeclaration<M extends TenantModel> {
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
  /** The name of the path's parameter for the resource's own id (default `id`). */
  readonly idParameter?: string;
  /** What the resource is a part of: the path's `:id` is the parent's, and `member` (a field never written) holds it. */
  readonly parent?: Parent;
  /** Takes what must be locked before the row itself, for every write. */
  readonly lock?: (scope: HookScope) => Promise<void>;
  /** With a field `isDefault`: the members within whose values there is one default, none for the whole tenant. */
  readonly oneDefaultPer?: readonly string[];
  /** Completes and checks what is created. @throws ServiceError */
  readonly onCreate?: (scope: HookScope, values: Row) => Promise<Row>;
  /** Completes and checks a change; `current` is locked. @throws ServiceError */
  readonly onPatch?: (scope: HookScope, values: Row, current: M) => Promise<Row>;
  /** Refuses a deletion that foreign keys would let pass. @throws ServiceError */
  readonly onDelete?: (scope: HookScope, current: M) => Promise<void>;
}

type Ids = Readonly<Record<string, string>>;

/** The schema of the ids in a path. */
function idsIn(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  return Type.Unsafe<Ids>(Type.Object(Object.fromEntries(names.map((name) => [name, uuid()]))));
}

/** The five routes of a master-data resource. */
export function defineResource<M extends TenantModel>(declaration: ResourceDeclaration<M>): Route[] {
  const { name, plural, path, tag, permission, fields } = declaration;
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  const answer = answerSchema(name, fields);
  const list = listDefinition(fields, declaration.defaultSort, declaration.filters);
  const parameters = listParameters(list);
  const idParameter = declaration.idParameter ?? 'id';
  const onePath = `${path}/:${idParameter}`;
  const ofParent = declaration.parent === undefined ? {} : { params: idsIn(path) };
  const Id = idsIn(onePath);
  const common = { tag };
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path,
      id: `list${plural}`,
      summary: `List ${plural.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase()}`,
      access: `${permission}:read`,
      query: parameters,
      responses: { 200: listOf(answer) },
      ...ofParent,
      async handler({ db, query, params }) {
        const within = await parentOf(db, declaration, params);
        return listRows(db, declaration.model, list, query, within);
      },
    }),
    defineRoute({
      ...common,
      method: 'POST',
      path,
      id: `create${name}`,
      summary: `Create a ${words}`,
      access: `${permission}:create`,
      body: createSchema(`${name}Create`, fields),
      responses: { 201: dataOf(answer) },
      ...ofParent,
      async handler({ db, ctx, caller, body, params }) {
        const scope = { trx: db, ctx, caller };
        await declaration.lock?.(scope);
        const within = await parentOf(db, declaration, params, 'locked');
        const row = await createOne(declaration, scope, { ...(body as Row), ...within });
        return created(`${path.replace(':id', String((params as Ids).id))}/${row.id}`, present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: onePath,
      id: `get${name}`,
      summary: `One ${words}`,
      access: `${permission}:read`,
      params: Id,
      responses: { 200: dataOf(answer) },
      async handler({ db, params }) {
        const row = await findOne(db, declaration, params);
        if (row === undefined) throw notFound(`This ${words}`);
        return ok(present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: onePath,
      id: `update${name}`,
      summary: `Change a ${words}`,
      access: `${permission}:update`,
      params: Id,
      body: patchSchema(`${name}Patch`, fields),
      responses: { 200: dataOf(answer) },
      async handler({ db, ctx, caller, params, body, ifMatch }) {
        const scope = { trx: db, ctx, caller };
        await declaration.lock?.(scope);
        const current = await lockOne(db, declaration, params, words);
        assertVersion(current, ifMatch);
        const row = await changeOne(declaration, scope, current, body as Row);
        return ok(present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: onePath,
      id: `delete${name}`,
      summary: `Delete a ${words}`,
      description: 'What is in use cannot be deleted (409 in_use); set it inactive where that is possible.',
      access: `${permission}:delete`,
      params: Id,
      responses: { 204: null },
      async handler({ db, ctx, caller, params, ifMatch }) {
        const scope = { trx: db, ctx, caller };
        await declaration.lock?.(scope);
        const current = await lockOne(db, declaration, params, words);
        assertVersion(current, ifMatch);
        await declaration.onDelete?.(scope, current);
        await removeRow(db, ctx, declaration.model, current);
        return noContent();
      },
    }),
  ];
}

/** A page of a model's rows. */
export async function listRows<M extends TenantModel>(
  db: Db,
  model: TenantModelClass<M>,
  definition: ListDefinition,
  parameters: Readonly<Record<string, string>>,
  within: Row = {},
) {
  const query = parseListQuery(definition, parameters);
  const result = await runList<Row>(db, definition, query, db(model.tableName).where(columns(within)));
  return listAnswer(result, (row) => present(model, fromRow(model, row)));
}

function present<M extends TenantModel>(model: TenantModelClass<M>, row: M): Row {
  return model.present({ ...row } as unknown as Row);
}

/** The members and column values that tie a row to the parent in the path. @throws ServiceError not_found */
async function parentOf<M extends TenantModel>(
  db: Db,
  { parent }: ResourceDeclaration<M>,
  params: unknown,
  locked?: 'locked',
): Promise<Row> {
  if (parent === undefined) return {};
  const { id } = params as Ids;
  const found = db(parent.table).where({ id }).first('id');
  // What is added to a parent and what changes in the parent itself see each other.
  const row: unknown = await (locked ? found.forShare() : found);
  if (row === undefined) throw notFound(parent.words);
  return { [parent.member]: id };
}

/** The row of the path; undefined when there is none, or not of this parent. */
async function findOne<M extends TenantModel>(
  db: Db,
  { model, parent, idParameter = 'id' }: ResourceDeclaration<M>,
  params: Ids,
  forUpdate = false,
): Promise<M | undefined> {
  const within = parent === undefined ? {} : columns({ [parent.member]: params.id });
  const found = model.query(db).findOne({ id: params[idParameter], ...within });
  return (await (forUpdate ? found.forUpdate() : found)) as M | undefined;
}

async function lockOne<M extends TenantModel>(
  trx: Db,
  declaration: ResourceDeclaration<M>,
  params: Ids,
  words: string,
): Promise<M> {
  const row = await findOne(trx, declaration, params, true);
  if (row === undefined) throw notFound(`This ${words}`);
  return row;
}

/** Members as columns. */
function columns(values: Row): Row {
  const named = ([member, value]: [string, unknown]): [string, unknown] => [
    member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ];
  return Object.fromEntries(Object.entries(values).map(named));
}
