/** Finds gaps in the OpenAPI description. */

export type Json = Record<string, unknown>;

/** Every place without words: tags, operations, parameters, properties, headers. */
export function undescribed(document: Json): string[] {
  const gaps: string[] = [];
  for (const tag of document.tags as Json[]) if (!said(tag)) gaps.push(`tag ${tag.name}`);
  for (const [place, operation] of apiOperations(document)) {
    for (const member of ['summary', 'description']) if (!said(operation, member)) gaps.push(`${place}: ${member}`);
    for (const parameter of operation.parameters as Json[]) {
      if (!said(resolve(document, parameter))) gaps.push(`${place}: parameter ${JSON.stringify(parameter)}`);
    }
    gaps.push(...silentMembers(document, operation.requestBody, `${place}: body`));
    gaps.push(...silentMembers(document, operation.responses, `${place}: answer`));
  }
  gaps.push(...silentMembers(document, document.components, 'components'));
  return gaps;
}

/** Every operation whose request, or an answer of which, has no example. */
export function withoutExample(document: Json): string[] {
  return apiOperations(document).flatMap(([place, operation]) => {
    const bodies = [operation.requestBody as Json | undefined, ...Object.values(operation.responses as Json)];
    return bodies.flatMap((body) => {
      const content = (body && (resolve(document, body as Json).content as Record<string, Json>)) ?? {};
      return Object.entries(content)
        .filter(([type, media]) => /[/+]json/.test(type) && !hasExample(document, media))
        .map(([type]) => `${place}: ${type}`);
    });
  });
}

/** Whether a response has an example, or the schema of its record. */
function hasExample(document: Json, media: Json): boolean {
  if (media.example !== undefined || media.examples !== undefined) return true;
  const { properties } = resolve(document, media.schema as Json) as { properties?: { data?: Json } };
  const data = properties?.data ?? {};
  return resolve(document, (data.items as Json | undefined) ?? data).examples !== undefined;
}

/** The operations of paths and webhooks, with their place. */
export function apiOperations(document: Json): [place: string, operation: Json][] {
  const paths = { ...(document.paths as Json), ...(document.webhooks as Json) };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${path}`,
      operation as Json,
    ]),
  );
}

/** Follows a reference; returns any other node unchanged. */
export function resolve(document: Json, node: Json): Json {
  if (typeof node.$ref !== 'string') return node;
  const steps = node.$ref.slice(2).split('/');
  return steps.reduce<unknown>((found, step) => (found as Json)[step], document) as Json;
}

function silentMembers(document: Json, node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example' || key === 'examples' || key === 'enum') return [];
    if (key !== 'properties') return silentMembers(document, value, `${place}/${key}`);
    return Object.entries(value as Record<string, Json>).flatMap(([name, schema]) => [
      ...(said(schema) || said(resolve(document, schema)) ? [] : [`${place}/${name}`]),
      ...silentMembers(document, schema, `${place}/${name}`),
    ]);
  });
}

function said(node: Json, member = 'description'): boolean {
  return typeof node[member] === 'string' && node[member] !== '';
}
