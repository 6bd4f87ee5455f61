/** Schemas of members that many resources share. They describe, validate and provide types. */
import { type Static, type TObject, type TOptional, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import { RATE_PLACES } from '../../../domain/locale/currencies.ts';
import { CUSTOM_PREFIX, type CustomFieldTable } from '../../../domain/records/custom-fields.ts';
import { DOC_TYPE_NAMES, type DocType } from '../../../domain/trade/documents/types.ts';
import { pascalCase } from '../../../domain/words.ts';

/** Upper bound of amounts, exclusive: every smaller amount is stored exactly. */
export const DECIMAL_LIMIT = 1e12;
/** Decimals of amounts, prices and quantities unless stated otherwise. */
export const AMOUNT_PLACES = 6;
const INTEGER_LIMIT = 2_147_483_647;

interface Described {
  description?: string;
}

interface TextOptions extends Described {
  min?: number;
  max?: number;
  pattern?: string;
}

/** A text of 1 to `max` characters (0 with `min: 0`). Texts that must not be empty must not be blank either. */
export function text(options: TextOptions = {}) {
  const { min = 1, max = 200, ...rest } = options;
  return Type.String({ minLength: min, maxLength: max, ...(min > 0 ? { pattern: NOT_BLANK } : {}), ...rest });
}

/** A text that names a record: surrounding blanks are trimmed. */
export function label(options: TextOptions = {}) {
  return { ...text(options), 'x-trimmed': true };
}

/** A text kept verbatim, blanks included: passwords, tokens, custom fields. */
export function verbatim({ max, ...rest }: Described & { max: number }) {
  return Type.String({ minLength: 1, maxLength: max, ...rest });
}

export const NOT_BLANK = '\\S';

/** An identifier. */
export function uuid(options: Described = {}) {
  return Type.String({ format: 'uuid', ...options });
}

/** A calendar day, YYYY-MM-DD. */
export function day(options: Described = {}) {
  return Type.String({ format: 'date', ...options });
}

/** An instant, ISO 8601. */
export function instant(options: Described = {}) {
  return Type.String({ format: 'date-time', ...options });
}

export function email(options: Described = {}) {
  return Type.String({ format: 'email', maxLength: 254, ...options });
}

/** The ISO 4217 code of a currency in use. @param meaning what the currency is for */
export function currencyCode(meaning: string) {
  return Type.String({ format: 'currency', pattern: '^[A-Z]{3}$', description: `${meaning}; ISO 4217 code` });
}

/** An exchange rate: what one unit of the company's currency is worth in another one. */
export function exchangeRate(options: Described = {}) {
  return amount({ places: RATE_PLACES, minimum: 1e-9, maximum: 1e9, ...options });
}

/** An http or https address. */
export function webAddress(options: Described = {}) {
  return Type.String({ format: 'http-url', maxLength: 2000, ...options });
}

export function flag(options: Described & { default?: boolean } = {}) {
  return Type.Boolean({ ...options });
}

/** An integer within bounds that the database can store. */
export function integer(options: Described & { minimum?: number; maximum?: number; default?: number } = {}) {
  return Type.Integer({ minimum: -INTEGER_LIMIT, maximum: INTEGER_LIMIT, ...options });
}

/**
 * An exact decimal: a JSON number with at most `places` decimals, below 10^12, with at most 15 significant digits. Handlers convert it to a
 * `Decimal` at once (domain/money.ts).
 */
export function amount(
  options: Described & { places?: number; minimum?: number; exclusiveMinimum?: number; maximum?: number } = {},
) {
  const { places = AMOUNT_PLACES, ...rest } = options;
  return Type.Number({ ...rest, decimalPlaces: places });
}

/** An exact decimal that is a quantity, shown with the company's decimals for quantities. */
export function quantity(options: Parameters<typeof amount>[0] = {}) {
  return { ...amount(options), 'x-measure': 'quantity' };
}

/** One of the given words; others are a validation fault. */
export function choice<const T extends readonly string[]>(words: T, options: Described & { default?: T[number] } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });
}

/** One of the given words in a path; others are a 404. */
export function named(words: readonly string[], options: Described = {}) {
  return { ...text(options), 'x-choices': [...words] };
}

/** A document type by code or name (sales_order …), converted to the code. */
export function documentType<const T extends readonly DocType[]>(codes: T, options: Described = {}) {
  const names = Object.fromEntries(Object.entries(DOC_TYPE_NAMES).filter(([, code]) => codes.includes(code)));
  return Type.Unsafe<T[number]>({
    type: 'string',
    enum: [...codes, ...Object.keys(names)],
    'x-synonyms': names,
    ...options,
  });
}

/** The same schema, or null. A single schema, not a union, so that each fault is reported once and at its place. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: words, ...rest } = schema as S & { type?: string | string[]; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(words === undefined ? {} : { enum: [...words, null] }),
  });
}

/** Members of a change: each is optional, and null clears it. */
export function clearable<M extends Members>(members: M) {
  const cleared = Object.entries(members).map(([name, schema]) => [name, Type.Optional(nullable(schema))]);
  return Object.fromEntries(cleared) as { [Name in keyof M]: TOptional<TUnsafe<Static<M[Name]> | null>> };
}

/** Members that only some schemas of a kind have; code that reads the value must handle both. */
export function membersIf<M extends Members>(has: boolean, members: M) {
  return (has ? members : {}) as { [Name in keyof M]: TOptional<M[Name]> };
}

type Members = Readonly<Record<string, TSchema>>;

/**
 * An object whose other members depend on its `type`. Reports the faults of the intended type.
 * @param kinds the other members, by type
 * @param title of the union; each of its schemas is also named after its type
 */
export function unionByType<K extends Readonly<Record<string, TProperties>>>(kinds: K, title: string) {
  const schemas = Object.entries(kinds).map(([type, members]) =>
    Type.Object(
      { type: Type.Literal(type), ...members },
      { title: `${title}${pascalCase(type)}`, additionalProperties: false },
    ),
  );
  return Type.Unsafe<{ [T in keyof K & string]: { type: T } & Static<TObject<K[T]>> }[keyof K & string]>({
    title,
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', enum: Object.keys(kinds) } },
    additionalProperties: true,
    discriminator: { propertyName: 'type' },
    oneOf: schemas,
  });
}

/** The same object without some of its members; its marks stay. */
export function without(schema: TSchema, members: readonly string[]): TSchema {
  const {
    properties = {},
    required = [],
    ...rest
  } = schema as {
    properties?: Members;
    required?: readonly string[];
  };
  const kept = Object.entries(properties).filter(([name]) => !members.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !members.includes(name)),
  } as TSchema;
}

/** The read-only type of values that a schema accepts. */
export type Input<S extends TSchema> = Frozen<Static<S>>;

type Frozen<Value> = Value extends readonly (infer Entry)[]
  ? readonly Frozen<Entry>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

/** Marks a member of a new record for which null differs from leaving it out. */
export function nullIsMeaningful<S extends TSchema>(schema: S): S {
  return { ...schema, [NULL_MARK]: true };
}

export const NULL_MARK = 'x-null-meant';

/** Marks a member of a change for which null means the given value. */
export function resettable<S extends TSchema>(schema: S, value: unknown) {
  // Handlers never see the null.
  return Type.Unsafe<Static<S>>({ ...nullable(schema), [DEFAULT_MARK]: value });
}

export const DEFAULT_MARK = 'x-default';

/** A member of an answer that cannot be changed. @param instead says how to change it otherwise */
export function fixed<S extends TSchema>(schema: S, instead: string): S {
  return { ...schema, [INSTEAD_MARK]: instead };
}

export const INSTEAD_MARK = 'x-instead';

/**
 * A body or answer that also contains the custom fields of a table. The request pipeline recognizes it by a mark: it completes answers, and
 * reports faults of custom fields together with the others.
 */
export function withCustomFields<S extends TSchema>(schema: S, table: CustomFieldTable | undefined): S {
  if (table === undefined) return schema;
  const description = `A custom field of ${table} (GET /api/custom-fields/by-table/${table}); null when it is unset`;
  return { ...schema, patternProperties: { [`^${CUSTOM_PREFIX}`]: { description } }, [CUSTOM_FIELDS_MARK]: table };
}

/** Finds the table whose custom fields a body, a single answer or a list answer contains. */
export function customFieldsIn(schema: TSchema | null | undefined): CustomFieldTable | undefined {
  if (schema === null || schema === undefined) return undefined;
  const { properties, items, [CUSTOM_FIELDS_MARK]: table } = schema as Marked;
  return table ?? customFieldsIn(items ?? properties?.data);
}

export const CUSTOM_FIELDS_MARK = 'x-custom-fields';

interface Marked {
  readonly [CUSTOM_FIELDS_MARK]?: CustomFieldTable;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** An answer other than JSON; `mediaType` becomes its Content-Type. */
export function binary(mediaType: string) {
  return Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary', contentMediaType: mediaType });
}

/** `{data: …}`, an answer with one record. */
export function dataBody<S extends TSchema>(schema: S) {
  return Type.Object({ data: schema }, titled(schema, 'Answer'));
}

/** `{data: […], pagination}`, an answer with a list. @param more further members */
export function listBody<S extends TSchema>(schema: S, more: Members = {}) {
  return Type.Object({ data: Type.Array(schema), pagination: PAGINATION, ...more }, titled(schema, 'Page'));
}

export const PAGINATION = Type.Object(
  {
    total: integer({ description: 'Matching records on all pages' }),
    page: integer(),
    per_page: integer(),
    has_more: Type.Boolean(),
    next_cursor: Type.Optional(
      nullable(Type.String({ description: 'With cursor: where the next page begins; null after the last one' })),
    ),
  },
  { title: 'Pagination' },
);

/** Derives the title of a schema that wraps a titled one. */
function titled(schema: TSchema, end: string): { title?: string } {
  const { title, type } = schema as { title?: string; type?: unknown };
  return title === undefined || Array.isArray(type) ? {} : { title: `${title}${end}` };
}
