/** A part of the OpenAPI document: some groups of operations, with the components that these need. */
import type { Json } from './components.ts';

type Sections = Readonly<Record<string, Json>>;

/** Names of the groups. */
export function tagNames(document: Json): string[] {
  return (document.tags as readonly { readonly name: string }[]).map(({ name }) => name);
}

/** The document with the operations of some groups; requests that the service sends are left out. */
export function chosenTags(document: Json, tags: readonly string[]): Json {
  const { webhooks: _, ...whole } = document;
  const paths = Object.fromEntries(
    Object.entries(document.paths as Readonly<Record<string, Json>>).flatMap(([path, item]) => {
      const kept = Object.entries(item).filter(([, operation]) =>
        (operation as { tags: string[] }).tags.some((tag) => tags.includes(tag)),
      );
      return kept.length > 0 ? [[path, Object.fromEntries(kept)]] : [];
    }),
  );
  const shown = (document.tags as readonly { readonly name: string }[]).filter(({ name }) => tags.includes(name));
  return { ...whole, tags: shown, paths, components: needed(document.components as Sections, paths) };
}

/** The components that something refers to, and those that these refer to; those for logging in stay. */
function needed(components: Sections, from: unknown): Json {
  const found = new Map<string, Set<string>>([
    ['securitySchemes', new Set(Object.keys(components.securitySchemes ?? {}))],
  ]);
  const open: unknown[] = [from];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
    const { $ref: reference } = value as { readonly $ref?: unknown };
    if (typeof reference !== 'string') continue;
    const [, , section = '', name = ''] = reference.split('/');
    const known = found.get(section) ?? new Set<string>();
    if (known.has(name)) continue;
    found.set(section, known.add(name));
    open.push(components[section]?.[name]);
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, all]) => [
      section,
      Object.fromEntries(Object.entries(all).filter(([name]) => found.get(section)?.has(name) === true)),
    ]),
  );
}
