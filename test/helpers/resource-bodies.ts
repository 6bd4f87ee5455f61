/**
 * Valid bodies for any declared resource, made from the schemas of its fields. What is referred to, and what a resource is a
 * part of, is created through the API first. Every value differs from all others, so that nothing is a duplicate. A field
 * that cannot be made up from its schema needs a line in resource-specials.ts; without it the generator throws.
 *
 *     const bodies = new ResourceBodies(app.client);
 *     const partner = await bodies.create(partners, 'all');
 */
import assert from 'node:assert/strict';
import { NOT_BLANK } from '../../services/platform/validation/schemas.ts';
import { RESOURCES } from '../../services/records/master-data/index.ts';
import type { ResourceDeclaration } from '../../services/records/resources/declaration.ts';
import type { ResourceField, Row } from '../../services/records/resources/field.ts';
import type { Answer, TestClient } from './client.ts';
import { dayAfter, LEFT_OUT, ONE_OF, SPECIAL_VALUES } from './resource-specials.ts';

/** A resource that was created. */
export interface Made {
  /** Path of its list, with the parent's id. */
  readonly listPath: string;
  /** Path of the row itself. */
  readonly path: string;
  readonly sent: Row;
  readonly row: Row & { readonly id: string; readonly version: number };
  readonly answer: Answer;
}

/** The part of JSON Schema that fields of resources use. */
export interface FieldSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly decimalPlaces?: number;
  readonly 'x-trimmed'?: boolean;
}

export function fieldSchema(field: ResourceField): FieldSchema {
  return field.schema as FieldSchema;
}

/** Fields that clients may set at creation, and those that they may change. */
export function writableFields({ fields }: ResourceDeclaration, when: 'create' | 'patch'): string[] {
  const allowed = when === 'create' ? ['always', 'create'] : ['always'];
  return Object.keys(fields).filter((name) => allowed.includes(fields[name]?.write ?? 'always'));
}

let counter = 0;
const BY_PATTERN: Readonly<Record<string, readonly string[]>> = {
  '^[A-Z]{2}$': ['PT', 'FR', 'IT'],
  '^[A-Z]{3}$': ['USD', 'GBP', 'CHF'],
};

export class ResourceBodies {
  readonly client: TestClient;

  constructor(client: TestClient) {
    this.client = client;
  }

  /**
   * Creates a resource, with the required fields or with all that can be set.
   * @param below the list that it is put into, where it has a parent that is there already
   */
  async create(
    declaration: ResourceDeclaration,
    which: 'required' | 'all' = 'required',
    given: Row = {},
    below?: string,
  ): Promise<Made> {
    const listPath = below ?? (await this.listPath(declaration));
    const sent = await this.body(declaration, which, given);
    const answer = await this.client.post(listPath, sent);
    assert.equal(answer.status, 201, `POST ${listPath} ${JSON.stringify(sent)}: ${JSON.stringify(answer.body)}`);
    const row = answer.body.data as Made['row'];
    return { listPath, path: `${listPath}/${row.id}`, sent, row, answer };
  }

  /** A body for a creation. */
  async body(declaration: ResourceDeclaration, which: 'required' | 'all', given: Row = {}): Promise<Row> {
    const body: Row = { ...given };
    for (const name of writableFields(declaration, 'create')) {
      if (LEFT_OUT[declaration.name]?.includes(name)) continue;
      const choice = ONE_OF[declaration.name] ?? [];
      const wanted = choice.includes(name)
        ? !choice.some((member) => member in body)
        : which === 'all' || declaration.fields[name]?.required === true;
      if (wanted && !(name in body)) body[name] = await this.value(declaration, name, body);
    }
    return body;
  }

  /** The address of the resource's list; with a new parent where it has one. */
  async listPath(declaration: ResourceDeclaration): Promise<string> {
    if (declaration.parent === undefined) return declaration.path;
    const parent = await this.create(resourceOfTable(declaration.parent.table));
    return declaration.path.replace(':id', parent.row.id);
  }

  /** A valid value for a field, other than the present one and the default. */
  async value(declaration: ResourceDeclaration, name: string, current: Row): Promise<unknown> {
    const field = declaration.fields[name] as ResourceField;
    const number = ++counter;
    const special = SPECIAL_VALUES[declaration.name]?.[name];
    if (special !== undefined) return await special(number, current, this);
    if (field.reference !== undefined) {
      return (await this.create(resourceOfTable(field.reference.table))).row.id;
    }
    const value = plainValue(name, fieldSchema(field), number, [current[name], field.default]);
    if (value === undefined) {
      throw new Error(`No value for ${declaration.name}.${name}: give it a line in test/helpers/resource-specials.ts`);
    }
    return value;
  }
}

/** The resource whose rows are in a table. */
export function resourceOfTable(table: string): ResourceDeclaration {
  const found = RESOURCES.find(({ model }) => model.tableName === table);
  if (found === undefined) throw new Error(`No resource is declared for ${table}: values for it must be special ones`);
  return found;
}

/** A value by schema alone; undefined when that is not enough. */
function plainValue(name: string, schema: FieldSchema, number: number, avoided: readonly unknown[]): unknown {
  if (schema.enum) return schema.enum.find((word) => !avoided.includes(word)) ?? schema.enum[0];
  if (schema.pattern && schema.pattern !== NOT_BLANK)
    return BY_PATTERN[schema.pattern]?.find((word) => !avoided.includes(word));
  switch (schema.type) {
    case 'boolean':
      return !(avoided.find((value) => value !== undefined && value !== null) ?? false);
    case 'integer':
      return wholeNumber(schema, number, avoided);
    case 'number':
      return wholeNumber(schema, number, avoided) + Number('0.123456'.slice(0, 2 + (schema.decimalPlaces ?? 0)));
    case 'string':
      return text(name, schema, number);
    default:
      return undefined;
  }
}

function wholeNumber(
  { minimum = 0, maximum = 1000 }: FieldSchema,
  number: number,
  avoided: readonly unknown[],
): number {
  const low = Math.max(0, Math.ceil(minimum));
  // Below the maximum, so that decimals may follow.
  const span = Math.max(1, Math.min(maximum - low, 500));
  const near = (value: number) => avoided.some((other) => Math.floor(Number(other)) === value);
  const value = low + (number % span);
  return near(value) ? low + ((number + 1) % span) : value;
}

function text(name: string, { format, maxLength = 200 }: FieldSchema, number: number): string | undefined {
  const mark = number.toString(36);
  switch (format) {
    case undefined:
      // Long texts with other letters than English ones.
      return `${(maxLength >= 100 ? `${name} ñ'%` : name).slice(0, maxLength - mark.length - 1)}-${mark}`;
    case 'date':
      return dayAfter('2031-01-01', number);
    case 'date-time':
      return `${dayAfter('2031-01-01', number)}T10:00:00.000Z`;
    case 'email':
      return `${mark}@example.test`;
    case 'http-url':
      return `https://example.test/${mark}`;
    default:
      return undefined;
  }
}
