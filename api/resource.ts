/** The five routes of a declared resource (services/records/resources/declaration.ts). */
import { type TProperties, Type } from 'typebox';
import { shownForm, type TenantModel, type TenantModelClass } from '../db/models/base.ts';
import { assertVersion } from '../db/write.ts';
import { notFound } from '../domain/errors.ts';
import { spacedWords } from '../domain/words.ts';
import { dataBody, uuid } from '../services/platform/validation/schemas.ts';
import { hiddenMembers, shownTo } from '../services/platform/visibility/reading.ts';
import type { HookScope, ResourceDeclaration } from '../services/records/resources/declaration.ts';
import type { Row } from '../services/records/resources/field.ts';
import {
  answerSchema,
  createSchema,
  listDefinition,
  neededFor,
  patchSchema,
  visibleTo,
} from '../services/records/resources/fields.ts';
import { columns, findParent, type Ids, lockOne, lockParent, readOne } from '../services/records/resources/find.ts';
import { changeOne, createOne, removeOne } from '../services/records/resources/rows.ts';
import { type ListRows, listRoute } from './lists/list-route.ts';
import { assertPermission } from './permission.ts';
import { created, noContent, ok } from './respond.ts';
import { type Caller, defineRoute, type Route, type RouteRequest } from './route.ts';

/** Schema of the ids in a path. */
function idsIn(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  return Type.Unsafe<Ids>(Type.Object(Object.fromEntries(names.map((name) => [name, uuid()]))));
}

function hookScope({ db, ctx, caller }: RouteRequest<unknown, unknown, unknown>): HookScope {
  return { trx: db, ctx, role: caller.role };
}

/** Builds the list, create, read, change and delete routes. */
export function resourceRoutes(declaration: ResourceDeclaration): Route[] {
  const { name, plural, path, tag, permission, fields } = declaration;
  const words = spacedWords(name);
  const shown = headingName(name);
  const { problems = [] } = declaration;
  const answer = answerSchema(declaration);
  const written = writtenSchema(declaration);
  const list = listDefinition(declaration);
  const onePath = `${path}/:${declaration.idParameter ?? 'id'}`;
  const ofParent = declaration.parent === undefined ? {} : { params: idsIn(path) };
  const ofOne = { tag, path: onePath, params: idsIn(onePath) };
  return [
    listRoute({
      tag,
      path,
      id: `list${plural}`,
      summary: `List ${headingName(plural)}`,
      access: `${permission}:read`,
      list,
      row: answer,
      references: Object.fromEntries(Object.entries(fields).map(([member, field]) => [member, field.reference?.table])),
      // Records without a code are identified only by id, also when imported again.
      ids: 'code' in fields ? [] : ['id'],
      ...ofParent,
      async rows({ reader, params, caller }) {
        const own = await findParent(reader, declaration, params as Ids);
        const rows = modelRows(visibleMembers(declaration, caller), own);
        const fields = visibleTo(declaration, caller.permissions);
        if (Object.keys(fields).length === Object.keys(declaration.fields).length) return rows;
        return { ...rows, definition: listDefinition({ ...declaration, fields }) };
      },
    }),
    defineRoute({
      tag,
      method: 'POST',
      path,
      id: `create${name}`,
      summary: `Create ${a(shown)}`,
      description: 'Omitted members get their defaults.',
      access: `${permission}:create`,
      problems: ['duplicate', ...problems],
      body: createSchema(declaration),
      responses: { 201: dataBody(written) },
      ...ofParent,
      async handler(request) {
        const scope = hookScope(request);
        const params = request.params as Ids;
        const body = settable(declaration, request, 'create');
        await declaration.lock?.(scope);
        const within = await lockParent(request.db, declaration, params);
        const row = await createOne(declaration, scope, { ...body, ...within });
        return created(
          `${path.replace(':id', String(params.id))}/${row.id}`,
          await loadWrittenRow(declaration, request, row),
        );
      },
    }),
    defineRoute({
      ...ofOne,
      method: 'GET',
      id: `get${name}`,
      summary: `One ${shown}`,
      description: 'Send its ETag as If-Match so that you do not overwrite changes by others.',
      access: `${permission}:read`,
      whole: declaration.live !== true,
      responses: { 200: dataBody(answer) },
      async handler({ reader, params, caller }) {
        const shown = visibleMembers(declaration, caller);
        const row = await readOne(reader, declaration, shown, params);
        if (row === undefined) throw notFound(`This ${words}`);
        return ok(shown.toJson(row));
      },
    }),
    defineRoute({
      ...ofOne,
      method: 'PATCH',
      id: `update${name}`,
      summary: `Change ${a(shown)}`,
      description: 'Omitted members stay as they are.',
      access: `${permission}:update`,
      problems: ['duplicate', ...problems],
      body: patchSchema(declaration),
      responses: { 200: dataBody(written) },
      async handler(request) {
        const scope = hookScope(request);
        const body = settable(declaration, request, 'update');
        await declaration.lock?.(scope);
        const current = await lockOne(request.db, declaration, request.params);
        assertVersion(current, request.ifMatch);
        const row = await changeOne(declaration, scope, current, body);
        return ok(await loadWrittenRow(declaration, request, row));
      },
    }),
    defineRoute({
      ...ofOne,
      method: 'DELETE',
      id: `delete${name}`,
      summary: `Delete ${a(shown)}`,
      description: 'A record in use cannot be deleted (409 in_use); deactivate it instead, where possible.',
      access: `${permission}:delete`,
      problems: ['in_use', ...problems],
      responses: { 204: null },
      async handler(request) {
        const scope = hookScope(request);
        await declaration.lock?.(scope);
        const current = await lockOne(request.db, declaration, request.params);
        assertVersion(current, request.ifMatch);
        await removeOne(declaration, scope, current);
        return noContent();
      },
    }),
  ];
}

/** The name for headings, with abbreviations in capitals. */
function headingName(name: string): string {
  return spacedWords(name).replace(/^sepa/, 'SEPA');
}

function a(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Rows of a model for a list. */
export function modelRows<M extends TenantModel>(
  model: TenantModelClass<M>,
  within: Readonly<Record<string, string>>,
): ListRows<Row> {
  return {
    from: model.tableName,
    where: columns(within),
    toJson: (row) => model.toJson(row),
    shown: shownForm(model),
  };
}

/** The model of a resource without the members that the caller may not see. */
export function visibleMembers(
  { model, apart }: ResourceDeclaration,
  { permissions }: Pick<Caller, 'permissions'>,
): TenantModelClass {
  if (apart === undefined) return shownTo(model, permissions);
  return shownTo(permissions.has(`${apart.permission}:read`) ? apart.views.guarded : apart.views.shown, permissions);
}

/**
 * The members to write. Null for a member that the caller may not see is what they were shown, not a value.
 * @throws ServiceError forbidden for members that the caller may not set
 */
function settable(
  declaration: ResourceDeclaration,
  { caller, body }: { readonly caller: Caller; readonly body: object },
  action: 'create' | 'update',
): Row {
  const hidden = hiddenMembers(declaration.model.privateFields, caller.permissions);
  const given = Object.entries(body).filter(([name, value]) => value !== null || !hidden.includes(name));
  const names = given.map(([name]) => name);
  for (const permission of neededFor(declaration, names, action)) assertPermission(caller, permission);
  return Object.fromEntries(given);
}

/** The schema of `warnings` in answers to writes. */
export const WARNINGS = Type.Array(
  Type.Object({
    pointer: Type.String({ description: 'JSON pointer to the member' }),
    code: Type.String({ description: 'Kind of the warning' }),
    message: Type.String({ description: 'Explanation for people' }),
  }),
  { description: 'Warnings about what was written anyway; only in answers to writes' },
);

/** Schema of a written row: with warnings, if the resource has any. */
export function writtenSchema(declaration: ResourceDeclaration) {
  const answer = answerSchema(declaration);
  if (declaration.warn === undefined) return answer;
  const { properties } = answer as unknown as { readonly properties: TProperties };
  return Type.Object({ ...properties, warnings: Type.Optional(WARNINGS) }, { title: `${declaration.name}Written` });
}

/** A written row as its detail route shows it, with its warnings. */
export async function loadWrittenRow(
  declaration: ResourceDeclaration,
  request: Pick<RouteRequest<unknown, unknown, unknown>, 'db' | 'ctx' | 'caller' | 'params'>,
  row: TenantModel,
): Promise<Row> {
  const shown = await loadRow(declaration, request, row);
  const { db: trx, ctx, caller } = request;
  const warnings = (await declaration.warn?.({ trx, ctx, role: caller.role }, row)) ?? [];
  return warnings.length === 0 ? shown : { ...shown, warnings };
}

async function loadRow(
  declaration: ResourceDeclaration,
  { db, caller, params }: Pick<RouteRequest<unknown, unknown, unknown>, 'db' | 'caller' | 'params'>,
  row: TenantModel,
): Promise<Row> {
  const shown = visibleMembers(declaration, caller);
  if (declaration.apart === undefined) return shown.toJson({ ...row });
  const ids = { ...(params as Ids), [declaration.idParameter ?? 'id']: row.id };
  return shown.toJson((await readOne(db, declaration, shown, ids)) ?? {});
}
