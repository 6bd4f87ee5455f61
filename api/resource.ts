/**
 * Master data is declared: one `defineResource` gives list, detail, create, change and delete, with validation, references,
 * audit, versions, filters and their description. What is special about a resource stands in its hooks.
 */
import { Type } from 'typebox';
import type { Context } from '../db/context.ts';
import type { Db } from '../db/database.ts';
import { fromRow, type TenantModel, type TenantModelClass } from '../db/models/base.ts';
import { type ListDefinition, parseListQuery } from '../db/queries/list.ts';
import { runList } from '../db/queries/run-list.ts';
import { removeRow } from '../db/write.ts';
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
import { assertVersion, created, noContent, ok } from './respond.ts';
import { type Caller, defineRoute, type Route } from './route.ts';
import { dataOf, listOf, uuid } from './schemas.ts';

/** The transaction and circumstances of a hook. */
export interface HookScope {
  readonly trx: Db;
  readonly ctx: Context;
  readonly caller: Caller;
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
  /** With a field `isDefault`: the members within whose values there is one default, none for the whole tenant. */
  readonly oneDefaultPer?: readonly string[];
  /** Completes and checks what is created. @throws ServiceError */
  readonly onCreate?: (scope: HookScope, values: Row) => Promise<Row>;
  /** Completes and checks a change; `current` is locked. @throws ServiceError */
  readonly onPatch?: (scope: HookScope, values: Row, current: M) => Promise<Row>;
  /** Refuses a deletion that foreign keys would let pass. @throws ServiceError */
  readonly onDelete?: (scope: HookScope, current: M) => Promise<void>;
}

const Id = Type.Object({ id: uuid() });

/** The five routes of a master-data resource. */
export function defineResource<M extends TenantModel>(declaration: ResourceDeclaration<M>): Route[] {
  const { name, plural, path, tag, permission, fields } = declaration;
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
  const answer = answerSchema(name, fields);
  const list = listDefinition(fields, declaration.defaultSort);
  const parameters = listParameters(list);
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
      handler: ({ db, query }) => listRows(db, declaration.model, list, query),
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
      async handler({ db, ctx, caller, body }) {
        const row = await createOne(declaration, { trx: db, ctx, caller }, body as Row);
        return created(`${path}/${row.id}`, present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: `${path}/:id`,
      id: `get${name}`,
      summary: `One ${words}`,
      access: `${permission}:read`,
      params: Id,
      responses: { 200: dataOf(answer) },
      async handler({ db, params }) {
        const row = (await declaration.model.query(db).findById(params.id)) as M | undefined;
        if (row === undefined) throw notFound(`This ${words}`);
        return ok(present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'PATCH',
      path: `${path}/:id`,
      id: `update${name}`,
      summary: `Change a ${words}`,
      access: `${permission}:update`,
      params: Id,
      body: patchSchema(`${name}Patch`, fields),
      responses: { 200: dataOf(answer) },
      async handler({ db, ctx, caller, params, body, ifMatch }) {
        const current = await lockOne(db, declaration, params.id, words);
        assertVersion(current, ifMatch);
        const row = await changeOne(declaration, { trx: db, ctx, caller }, current, body as Row);
        return ok(present(declaration.model, row));
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      path: `${path}/:id`,
      id: `delete${name}`,
      summary: `Delete a ${words}`,
      description: 'What is in use cannot be deleted (409 in_use); set it inactive where that is possible.',
      access: `${permission}:delete`,
      params: Id,
      responses: { 204: null },
      async handler({ db, ctx, caller, params, ifMatch }) {
        const current = await lockOne(db, declaration, params.id, words);
        assertVersion(current, ifMatch);
        await declaration.onDelete?.({ trx: db, ctx, caller }, current);
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
) {
  const query = parseListQuery(definition, parameters);
  const result = await runList<Row>(db, definition, query, db(model.tableName));
  return listAnswer(result, (row) => present(model, fromRow(model, row)));
}

function present<M extends TenantModel>(model: TenantModelClass<M>, row: M): Row {
  return model.present({ ...row } as unknown as Row);
}

async function lockOne<M extends TenantModel>(
  trx: Db,
  { model }: ResourceDeclaration<M>,
  id: string,
  words: string,
): Promise<M> {
  const row = (await model.query(trx).findById(id).forUpdate()) as M | undefined;
  if (row === undefined) throw notFound(`This ${words}`);
  return row;
}
