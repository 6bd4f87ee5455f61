/**
 * Bodies as clients may send them: with null where it is accepted, and with read-only members that may be sent back.
 */
import type { TSchema } from 'typebox';
import { acceptsNull, type BodyKind } from '../../services/platform/validation/nulls.ts';
import { nullable } from '../../services/platform/validation/schemas.ts';
import { recordIn } from '../pipeline/sent-back.ts';
import type { Route } from '../route.ts';

type Members = Readonly<Record<string, TSchema>>;

interface ObjectSchema {
  readonly title?: string;
  readonly properties?: Members;
  readonly required?: readonly string[];
  readonly items?: TSchema;
}

/** The published schema of a route's body. */
export function publishedBody({ body, method, readBack }: Route): TSchema | undefined {
  if (body === undefined) return undefined;
  return openBody(body, method === 'PATCH' ? 'change' : 'new', readBack && recordIn(readBack));
}

/**
 * Opens a body for members that may be sent back.
 * @param answered the record as in responses, if it may be sent back
 */
function openBody(schema: TSchema, kind: BodyKind, answered?: TSchema): TSchema {
  const { properties, required = [], items } = schema as ObjectSchema;
  if (items !== undefined) {
    const entries = kind === 'change' && 'id' in ((items as ObjectSchema).properties ?? {}) ? 'change' : 'new';
    return { ...schema, items: openBody(items, entries, (answered as ObjectSchema | undefined)?.items) };
  }
  if (properties === undefined) return schema;
  const shown = (answered as ObjectSchema | undefined)?.properties ?? {};
  const writable = Object.entries(properties).map(([name, member]): [string, TSchema] => {
    const inner = openBody(member, (member as ObjectSchema).items ? kind : 'new', shown[name]);
    return [name, kind === 'new' && !required.includes(name) && !acceptsNull(inner) ? nullable(inner) : inner];
  });
  const readOnly = Object.entries(shown)
    .filter(([name]) => !Object.hasOwn(properties, name))
    .map(([name, member]): [string, TSchema] => [name, { ...member, readOnly: true }]);
  return { ...withoutTitle(schema), properties: Object.fromEntries([...writable, ...readOnly]) };
}

/** Removes the title, since the response with the same title has other members. */
function withoutTitle(schema: TSchema): TSchema {
  const { title } = schema as ObjectSchema;
  return title === undefined || /(?:Input|Create|Patch)$/.test(title) ? schema : { ...schema, title: `${title}Input` };
}
