/** Derives bodies, answers, filters and checks from the fields of a master-data resource. */
import { type TSchema, Type } from 'typebox';
import type { ListDefinition, ListField } from '../../../db/queries/list.ts';
import type { Reference } from '../../../db/queries/references.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { instant, integer, nullable, resettable, uuid, withCustomFields } from '../../platform/validation/schemas.ts';
import { hiddenMembers, type Permissions } from '../../platform/visibility/reading.ts';
import type { ResourceDeclaration } from './declaration.ts';
import type { ResourceField, ResourceFields, Row } from './field.ts';

/** Whether a field can hold null. */
export function isNullable({ required, default: fallback, filled }: ResourceField): boolean {
  return required !== true && fallback === undefined && filled !== true;
}

function inBody(field: ResourceField): TSchema {
  return isNullable(field) ? nullable(field.schema) : field.schema;
}

/** Schema of the body of POST. */
export function createSchema({ name: title, fields, customFields }: ResourceDeclaration) {
  const members = Object.entries(fields).filter(([, field]) => field.write !== 'never');
  const schema = Type.Object(
    Object.fromEntries(
      members.map(([name, field]): [string, TSchema] => {
        const schema = field.default === undefined ? inBody(field) : { ...inBody(field), default: field.default };
        return [name, field.required ? schema : Type.Optional(schema)];
      }),
    ),
    { title: `${title}Create`, additionalProperties: false },
  );
  return withCustomFields(schema, customFields);
}

/** Schema of a field in a change. Null clears nullable fields, and resets those with a default. */
function inChange(field: ResourceField): TSchema {
  const value = field.default ?? field.restored;
  return value === undefined ? inBody(field) : resettable(field.schema, value);
}

/** Schema of the body of PATCH: all fields that can be changed. */
export function patchSchema({ name: title, fields, customFields }: ResourceDeclaration) {
  const members = Object.entries(fields).filter(([, { write = 'always' }]) => write === 'always');
  const schema = Type.Object(
    Object.fromEntries(members.map(([name, field]): [string, TSchema] => [name, Type.Optional(inChange(field))])),
    { title: `${title}Patch`, additionalProperties: false },
  );
  return withCustomFields(schema, customFields);
}

/** Schema of a field in an answer. Guarded members are optional, since not everybody sees them; private ones are null then. */
function inAnswer(name: string, field: ResourceField, { privateFields }: ResourceDeclaration['model']): TSchema {
  const needed = privateFields[name];
  if (needed === undefined) return field.guarded === undefined ? inBody(field) : Type.Optional(inBody(field));
  const { description } = field.schema as { readonly description?: string };
  const shown = `${description === undefined ? '' : `${description}. `}Null without the permission ${needed}`;
  return nullable({ ...field.schema, description: shown });
}

/** Fields visible with these permissions. */
export function visibleTo(
  { fields, model }: Pick<ResourceDeclaration, 'fields' | 'model'>,
  permissions: Permissions,
): ResourceFields {
  const hidden = hiddenMembers(model.privateFields, permissions);
  const seen = Object.entries(fields).filter(
    ([name, { guarded }]) => !hidden.includes(name) && (!guarded || permissions.has(`${guarded}:read`)),
  );
  return Object.fromEntries(seen);
}

/** The permissions that writing fields takes, in addition to that for the resource. */
export function neededFor(
  { fields, model }: Pick<ResourceDeclaration, 'fields' | 'model'>,
  names: readonly string[],
  action: 'create' | 'update',
): Permission[] {
  const needed = names.flatMap((name): Permission[] => {
    const guarded = fields[name]?.guarded;
    const own = model.privateFields[name];
    return [...(guarded === undefined ? [] : [`${guarded}:${action}` as const]), ...(own === undefined ? [] : [own])];
  });
  return [...new Set(needed)];
}

/** Schema of the resource in answers. */
export function answerSchema({ name: title, fields, model, customFields }: ResourceDeclaration) {
  const schema = Type.Object(
    {
      id: uuid(),
      ...Object.fromEntries(
        Object.entries(fields).map(([name, field]): [string, TSchema] => [name, inAnswer(name, field, model)]),
      ),
      version: integer(),
      [model.publicName('createdAt')]: instant(),
      [model.publicName('updatedAt')]: instant(),
    },
    { title },
  );
  return withCustomFields(schema, customFields);
}

/** Filters, sorts and searches of the resource's list. */
export function listDefinition({ fields, defaultSort, filters = {}, model }: ResourceDeclaration): ListDefinition {
  const own = Object.entries(fields).map(([name, field]): [string, ListField] => [
    name,
    {
      ...listType(field.schema),
      ...(field.searchable ? { searchable: true } : {}),
      ...(isNullable(field) ? {} : { notNull: true }),
    },
  ]);
  return {
    defaultSort,
    fields: {
      id: { type: 'uuid', sortable: false },
      ...Object.fromEntries(own),
      ...filters,
      [model.publicName('createdAt')]: { type: 'instant', notNull: true },
      [model.publicName('updatedAt')]: { type: 'instant', notNull: true },
    },
  };
}

interface Declared {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: string[];
  readonly 'x-synonyms'?: Record<string, string>;
}

function listType(schema: TSchema): Pick<ListField, 'type' | 'choices' | 'synonyms'> {
  const { type, format, enum: choices, 'x-synonyms': synonyms } = schema as Declared;
  if (choices) return { type: 'choice', choices, ...(synonyms ? { synonyms } : {}) };
  if (type === 'boolean' || type === 'integer' || type === 'number') return { type };
  if (format === 'date-time') return { type: 'instant' };
  if (format === 'uuid' || format === 'date') return { type: format };
  return { type: 'text' };
}

/** References among the given values. */
export function givenReferences(fields: ResourceFields, values: Row): Reference[] {
  return Object.entries(fields).flatMap(([name, { reference }]) => {
    const id = values[name];
    return reference && typeof id === 'string' ? [{ pointer: `/${name}`, id, ...reference }] : [];
  });
}

/** Fills in missing fields with their default, else null. */
export function withDefaults(fields: ResourceFields, values: Row): Row {
  const complete = Object.entries(fields).map(([name, field]) => [name, values[name] ?? field.default ?? null]);
  return { ...Object.fromEntries(complete), ...values };
}
