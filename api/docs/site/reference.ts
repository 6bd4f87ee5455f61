/** Pages of the reference: one for each group of operations, with their parameters, bodies, answers and examples. */
import { escapedHtml } from '../../../domain/html.ts';
import type { Json } from '../../openapi/components.ts';
import { resourcesIn } from '../../openapi/methods.ts';
import {
  type DescribedOperation,
  type DescribedParameter,
  type Placed,
  parameterIn,
  placedOperations,
} from '../../openapi/placed.ts';
import { codeHtml } from './markdown.ts';
import { type Called, calledOperations, curl, SAMPLE_LANGUAGES, type Samples, samplesFor } from './samples.ts';
import { type Inline, memberHtml, membersHtml, type Schema, type Schemas, typeHtml } from './schemas.ts';

interface Parameter extends DescribedParameter {
  readonly style?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

interface Operation extends DescribedOperation<Parameter> {
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly description: string; readonly content?: Content }>
  >;
  readonly 'x-permission'?: string;
}

export interface Reference {
  /** Names of the groups with their descriptions, in order. */
  readonly groups: readonly { readonly name: string; readonly description?: string }[];
  /** Operations of a group, with methods in capitals. */
  operationsIn(group: string): readonly Placed<Operation>[];
  /** The page of a group. */
  page(group: string): string;
}

/** Prepares the reference. @param inline turns a line of Markdown into HTML */
export function toReference(document: Json, inline: Inline): Reference {
  const { schemas } = document.components as { schemas: Schemas };
  const placed = placedOperations<Operation>(document).map((one) => ({ ...one, method: one.method.toUpperCase() }));
  const called = calledOperations(resourcesIn(document));
  const find = (one: Parameter) => parameterIn(document, one);
  const operationsIn = (group: string) => placed.filter(({ operation }) => operation.tags.includes(group));
  return {
    groups: document.tags as Reference['groups'],
    operationsIn,
    page(group) {
      const shown = new Set<string>();
      const waiting: string[] = [];
      const named = (name: string) => {
        if (shown.has(name)) return;
        shown.add(name);
        waiting.push(name);
      };
      const options = { named, inline };
      const operations = operationsIn(group).map((one) =>
        operationHtml(one, called.get(one.operation.operationId), find, options),
      );
      const models: string[] = [];
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        models.push(schemaHtml(name, schemas[name] ?? {}, options));
      const schemaList = models.length === 0 ? '' : `<h2 id="schemas">Schemas</h2>${models.join('\n')}`;
      return operations.join('\n') + schemaList;
    },
  };
}

type Options = { readonly named: (name: string) => void; readonly inline: Inline };

function operationHtml(
  { method, path, operation }: Placed<Operation>,
  called: Called | undefined,
  find: (one: Parameter) => Parameter,
  options: Options,
): string {
  const { operationId, summary, description, requestBody } = operation;
  const permission = operation['x-permission'];
  const needs = permission === undefined ? '' : `Permission: <code>${permission}</code> · `;
  const trial = `/docs/try#/${encodeURIComponent(operation.tags[0] ?? '')}/${operationId}`;
  return `<article class="operation" id="${operationId}">
<h2><a href="#${operationId}">${escapedHtml(summary)}</a></h2>
<p class="path"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapedHtml(path)}</code></p>
<div class="sides"><div>
${description === undefined ? '' : `<p>${options.inline(description)}</p>`}
<p class="notes">${needs}<a href="${trial}">Try it out</a></p>
${parametersHtml((operation.parameters ?? []).map(find), options)}
${requestBody === undefined ? '' : bodyHtml(requestBody, options)}
${answersHtml(operation, options)}
</div><div>
${samplesHtml(operationSamples(called, operation))}
${exampleHtml(operation)}
</div></div>
</article>`;
}

/** Parameters by place; filters, of which lists have many, are folded. */
function parametersHtml(parameters: readonly Parameter[], options: Options): string {
  const shown = parameters.filter(({ in: place }) => place !== 'header');
  const filters = shown.filter(({ style }) => style === 'deepObject');
  const others = shown.filter(({ style }) => style !== 'deepObject');
  const list = (some: readonly Parameter[]) =>
    `<ul class="members">${some.map((one) => parameterHtml(one, options)).join('')}</ul>`;
  return [
    others.length === 0 ? '' : `<h3>Parameters</h3>${list(others)}`,
    filters.length === 0 ? '' : `<details><summary>Filters (${filters.length})</summary>${list(filters)}</details>`,
  ].join('\n');
}

function parameterHtml({ name, required = false, description, schema }: Parameter, options: Options): string {
  const described = description === undefined ? schema : { ...schema, description };
  return memberHtml(name, described, { ...options, required });
}

function bodyHtml({ required = false, content }: NonNullable<Operation['requestBody']>, options: Options): string {
  const [[type, { schema = {} }] = ['', {}]] = Object.entries(content) as [string, { schema?: Schema }][];
  const title = `<h3>Body${required ? '' : ' (optional)'}</h3>`;
  if (type !== 'application/json') {
    return `${title}<p>${Object.keys(content)
      .map((one) => `<code>${escapedHtml(one)}</code>`)
      .join(', ')}</p>`;
  }
  return `${title}<p>${typeHtml(schema, options.named)}</p>`;
}

function answersHtml({ responses }: Operation, { named }: Options): string {
  const rows = Object.entries(responses)
    .filter(([status]) => status < '400')
    .map(([status, { description, content }]) => {
      const types = Object.entries(content ?? {}).map(([type, { schema = {} }]) =>
        type === 'application/json' ? typeHtml(schema, named) : `<code>${escapedHtml(type)}</code>`,
      );
      return `<li><code>${status}</code> ${escapedHtml(description)}${types.length > 0 ? `: ${types.join(', ')}` : ''}</li>`;
    });
  return `<h3>Answers</h3><ul class="members">${rows.join('')}<li>Refusals: <a href="/docs/errors">all error codes</a></li></ul>`;
}

function operationSamples(called: Called | undefined, operation: Operation): Partial<Samples> {
  const body = operation.requestBody?.content['application/json']?.example;
  const isPublic = operation.security?.length === 0;
  if (called === undefined) return {};
  // Pages and probes have no method.
  return called.names.length === 0
    ? { sh: curl(called.operation, body, isPublic) }
    : samplesFor(called, body, isPublic);
}

function samplesHtml(samples: Partial<Samples>): string {
  return Object.entries(samples)
    .map(([language, code]) => {
      const name = SAMPLE_LANGUAGES[language as keyof Samples];
      const example = `<pre tabindex="0"><code>${codeHtml(code, language)}</code></pre>`;
      return `<figure class="sample" data-language="${language}"><figcaption>${name}</figcaption>${example}</figure>`;
    })
    .join('\n');
}

function exampleHtml({ responses }: Operation): string {
  const [, answer] = Object.entries(responses).find(([status]) => status < '300') ?? [];
  const example = answer?.content?.['application/json']?.example;
  if (example === undefined) return '';
  // Colours would make pages with many examples three times as long.
  const code = escapedHtml(JSON.stringify(example, null, 2));
  return `<details><summary>Example of the answer</summary><pre tabindex="0"><code>${code}</code></pre></details>`;
}

function schemaHtml(name: string, schema: Schema, options: Options): string {
  const words = schema.description === undefined ? '' : `<p>${options.inline(schema.description)}</p>`;
  const members =
    schema.properties === undefined ? `<p>${typeHtml(schema, options.named)}</p>` : membersHtml(schema, options);
  return `<section class="schema" id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>${words}${members}</section>`;
}
