/** Schemas of the description as HTML: types in words, and members as a list. */
import { escapedHtml } from '../../../domain/html.ts';

/** As much of a JSON schema as the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly readOnly?: boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** Told of each schema that is named, so that the page shows it too. */
export type Named = (name: string) => void;

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

/** Choices shown in full; of more, the first ones. */
const MOST_CHOICES = 12;

/** The type in words, with links to named schemas. */
export function typeHtml(schema: Schema, named: Named): string {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref);
    named(name);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapedHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) return choicesHtml(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map((one) => typeHtml(one, named)))].join(' or ');
  const types = [schema.type ?? []].flat();
  const words = types.map((type) =>
    type === 'array' ? `list of ${typeHtml(schema.items ?? {}, named)}` : plainType(type, schema),
  );
  return words.length === 0 ? 'anything' : words.join(' or ');
}

function choicesHtml(choices: NonNullable<Schema['enum']>): string {
  const shown = choices.slice(0, MOST_CHOICES).map((one) => `<code>${escapedHtml(String(one))}</code>`);
  return `${shown.join(', ')}${choices.length > shown.length ? ` … (${choices.length})` : ''}`;
}

function plainType(type: string, { format }: Schema): string {
  return format !== undefined && type === 'string' ? format : type;
}

/** Limits in words: at most 200 characters, default 50. */
function limits(schema: Schema): string[] {
  const { maxLength, minimum, exclusiveMinimum, maximum, maxItems, default: standard } = schema;
  return [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
    ...(standard === undefined ? [] : [`default ${JSON.stringify(standard)}`]),
    ...(schema.readOnly === true ? ['read-only'] : []),
  ];
}

/** One member or parameter as an entry of a list. */
export function memberHtml(
  name: string,
  schema: Schema,
  options: { required: boolean; named: Named; inline: Inline },
): string {
  const { required, named, inline } = options;
  const notes = [...(required ? ['<strong>required</strong>'] : []), ...limits(schema).map(escapedHtml)];
  const description = schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`;
  const nested = schema.properties ?? schema.items?.properties;
  const members =
    nested === undefined
      ? ''
      : membersHtml(
          { properties: nested, required: schema.required ?? schema.items?.required ?? [] },
          { named, inline },
        );
  return (
    `<li><div class="member"><code>${escapedHtml(name)}</code> <span class="type">${typeHtml(schema, named)}</span>` +
    `${notes.length > 0 ? ` <span class="notes">${notes.join(' · ')}</span>` : ''}</div>${description}${members}</li>`
  );
}

/** Turns a line of Markdown into HTML. */
export type Inline = (markdown: string) => string;

/** All members of an object. */
export function membersHtml(
  { properties = {}, required = [] }: Pick<Schema, 'properties' | 'required'>,
  options: { readonly named: Named; readonly inline: Inline },
): string {
  const items = Object.entries(properties).map(([name, schema]) =>
    memberHtml(name, schema, { ...options, required: required.includes(name) }),
  );
  return `<ul class="members">${items.join('')}</ul>`;
}
