/** Schemas of the OpenAPI document, each once: in standard JSON Schema, with descriptions and bounds of the service. */
import { DEFAULT_MARK, INSTEAD_MARK, NULL_MARK } from '../../services/platform/validation/schemas.ts';
import { isObject, type Json, numbersToChoose, writePlainly } from './forms.ts';
import { wordFor } from './vocabulary/index.ts';

export type { Json };

/** Place where a schema is used: a default of the service is not a default for a client that reads a response. */
export type Use = 'body' | 'answer' | 'parameter';

/** Collects titled schemas under components, each once, and refers to them where they are used. */
export class Components {
  readonly schemas: Json = {};
  readonly #taken = new Map<string, string>();

  place(node: unknown, use: Use): unknown {
    if (Array.isArray(node)) return node.map((entry) => this.place(entry, use));
    if (!isObject(node)) return node;
    const entries = Object.entries(node).flatMap(([key, value]) => this.#entry(key, value, use));
    const placed = Object.fromEntries(entries);
    writePlainly(placed, node);
    return typeof placed.title === 'string' ? this.#refer(placed.title, placed) : placed;
  }

  /** Places a schema, and names one that has no title after the first of these that no other schema has. */
  placeAs(titles: readonly string[], schema: unknown, use: Use): unknown {
    const placed = this.place(schema, use) as Json;
    const isWhole = placed.properties !== undefined || placed.anyOf !== undefined;
    if (placed.title !== undefined || !isWhole || Array.isArray(placed.type)) return placed;
    const isFree = (title: string) => [undefined, formText({ ...placed, title })].includes(this.#taken.get(title));
    const title = titles.find(isFree);
    return title === undefined ? placed : this.#refer(title, { ...placed, title });
  }

  /** Adds an example to a schema that has been placed, unless it has one. */
  exemplify(title: string, example: () => unknown): void {
    const schema = this.schemas[title] as Json;
    schema.examples ??= [example()];
  }

  #entry(key: string, value: unknown, use: Use): [string, unknown][] {
    if (key === 'decimalPlaces') return [['x-decimal-places', value]];
    if (SERVICE_KEYWORDS.has(key)) return [];
    if (key === 'x-choices') return [['enum', value]];
    // Generated clients would require a member with a default, so the description mentions it instead.
    if (key === 'default' && use !== 'parameter') return [];
    if (key === 'format' && value === 'http-url') return [['format', 'uri']];
    // The pattern says what other programs can check.
    if (key === 'format' && value === 'currency') return [];
    if (LITERAL.has(key)) return [[key, value]];
    if (key === 'properties' && isObject(value)) return [[key, this.#members(value, use)]];
    return [[key, this.place(value, use)]];
  }

  #members(members: Json, use: Use): Json {
    return Object.fromEntries(
      Object.entries(members).map(([name, schema]) => [name, this.#described(name, schema as Json, use)]),
    );
  }

  #described(name: string, schema: Json, use: Use): Json {
    return { ...(this.place(schema, use) as Json), ...spoken(describe(name, schema, use)) };
  }

  #refer(title: string, schema: Json): Json {
    // It may be read-only in this place only.
    const { type, description, readOnly, ...form } = schema;
    const nullable = Array.isArray(type);
    const text = formText(schema);
    if ((this.#taken.get(title) ?? text) !== text)
      throw new Error(`Two schemas are called ${title}: ${this.#taken.get(title)} ${text}`);
    this.#taken.set(title, text);
    this.schemas[title] ??= { type: nullable ? type[0] : type, ...spoken(description as string | undefined), ...form };
    const reference = { $ref: `#/components/schemas/${title}` };
    const place = readOnly === undefined ? {} : { readOnly };
    return nullable ? { anyOf: [reference, { type: 'null' }], ...place } : { ...reference, ...place };
  }
}

/** A schema as text, without what belongs to its place. */
function formText({ type: _type, description: _description, readOnly: _readOnly, ...form }: Json): string {
  return JSON.stringify(form);
}

/**
 * Describes a member by its own description, otherwise by the vocabulary's, and by its default.
 * @returns undefined if there is none
 */
export function describe(name: string, schema: Json, use: Use): string | undefined {
  const said = typeof schema.description === 'string' ? schema.description : wordFor(name)?.[0];
  const numbers = numbersToChoose(schema);
  const own = said === undefined || numbers === undefined ? said : `${said}. One of ${numbers.join(', ')}`;
  if (own === undefined || use !== 'body') return own;
  if (schema.default !== undefined) return `${own}. Default: ${written(schema.default)}`;
  return schema[DEFAULT_MARK] === undefined ? own : `${own}. When null: ${written(schema[DEFAULT_MARK])}`;
}

function written(value: unknown): string {
  return value === '' ? 'empty' : JSON.stringify(value).replaceAll('"', '');
}

function spoken(description: string | undefined): Json {
  return description === undefined ? {} : { description };
}

/** Keywords used only by the service. */
const SERVICE_KEYWORDS = new Set(['x-list', 'x-measure', 'x-label', DEFAULT_MARK, INSTEAD_MARK, NULL_MARK]);

/** Keywords whose values are data, not schemas. */
const LITERAL = new Set(['const', 'enum', 'default', 'examples', 'required', 'x-synonyms']);
