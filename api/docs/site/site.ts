/** The pages at /docs: the guide by chapters, the reference by groups, and a page for each further subject. */
import { readFile } from 'node:fs/promises';
import type { Json } from '../../openapi/components.ts';
import { INTRODUCTION } from '../../openapi/introduction.ts';
import { type Chapter, chapterOfHeadings, chaptersIn } from './chapters.ts';
import { errorsHtml } from './errors.ts';
import { type Link, type Neighbours, pageHtml, type Section } from './layout.ts';
import { type Heading, headingId, markdownHtml } from './markdown.ts';
import { operatorsHtml, type TemporalUi } from './operators.ts';
import { type Reference, toReference } from './reference.ts';
import { type Entry, entry } from './search.ts';

/** Pages of docs/ that the site has whole, by their file. */
const TOPICS: Readonly<Record<string, Link>> = {
  'webhooks.md': { path: '/docs/webhooks', title: 'Webhooks' },
  'clients.md': { path: '/docs/clients', title: 'Clients' },
  'cli.md': { path: '/docs/command-line', title: 'Command line' },
  'documents.md': { path: '/docs/documents', title: 'States of documents' },
};
const START: Link = { path: '/docs', title: 'Start' };
const ERRORS: Link = { path: '/docs/errors', title: 'Errors' };
const OPERATORS: Link = { path: '/docs/operators', title: 'Operators' };
const TRY: Link = { path: '/docs/try', title: 'Try it out' };

export class Site {
  readonly #describe: () => Json;
  readonly #temporalUi: TemporalUi;
  #parts: Promise<Parts> | undefined;

  /** @param describe the OpenAPI document; called once, when the first page is asked for */
  constructor(describe: () => Json, temporalUi: TemporalUi) {
    this.#describe = describe;
    this.#temporalUi = temporalUi;
  }

  /** A page by its path. @returns undefined if there is none */
  async page(path: string): Promise<string | undefined> {
    const parts = await this.#load();
    const body = parts.bodies.get(path)?.();
    if (body === undefined) return undefined;
    const { title, content, outline } = body;
    const { sections } = parts;
    return pageHtml({ path, title, content, outline, sections, neighbours: neighboursIn(sections, path) });
  }

  /** The entries of the search, as JSON. */
  async searchEntries(): Promise<string> {
    return JSON.stringify((await this.#load()).entries);
  }

  #load(): Promise<Parts> {
    this.#parts ??= this.#read();
    return this.#parts;
  }

  async #read(): Promise<Parts> {
    const chapters = chaptersIn(await ownPage('guide.md'));
    const topics = await Promise.all(
      Object.entries(TOPICS).map(async ([file, link]) => ({ link, markdown: await ownPage(file) })),
    );
    return toParts({ chapters, topics, document: this.#describe(), temporalUi: this.#temporalUi });
  }
}

interface Body {
  readonly title: string;
  readonly content: string;
  readonly outline: readonly Link[];
}

interface Parts {
  readonly sections: readonly Section[];
  /** Makes the content of each page. */
  readonly bodies: ReadonlyMap<string, () => Body>;
  readonly entries: readonly Entry[];
}

function toParts(from: {
  readonly chapters: readonly Chapter[];
  readonly topics: readonly { readonly link: Link; readonly markdown: string }[];
  readonly document: Json;
  readonly temporalUi: TemporalUi;
}): Parts {
  const { chapters, topics, document, temporalUi } = from;
  const chapterByHeading = chapterOfHeadings(chapters);
  const toGuide = (id: string) => {
    const chapter = chapterByHeading.get(id);
    return chapter === undefined ? null : `${chapterPath(chapter)}#${id}`;
  };
  /** Links between our pages are links of the site; those to what it does not have are texts. */
  const resolve = (from: string) => (href: string) => {
    const [, file = '', id = ''] = /^(?:\.\.\/docs\/)?([^#]*)(?:#(.*))?$/.exec(href) ?? [];
    if (/^https?:|^\//.test(href)) return href;
    if (file === 'guide.md' || (file === '' && from === 'guide'))
      return id === '' ? chapterPath('before-you-begin') : toGuide(id);
    if (file === '') return href;
    if (file === 'errors.md') return `${ERRORS.path}${id === '' ? '' : `#${id}`}`;
    const topic = TOPICS[file];
    return topic === undefined ? null : `${topic.path}${id === '' ? '' : `#${id}`}`;
  };
  const inline = (markdown: string) => markdownHtml(markdown, resolve('')).html.replaceAll(/^<p>|<\/p>\n$/g, '');
  const reference = toReference(document, inline);
  const written = (title: string, markdown: string, place: string) => (): Body => {
    const { html, headings } = markdownHtml(markdown, resolve(place));
    return { title, content: html, outline: toOutline(headings) };
  };
  const bodies = new Map<string, () => Body>([
    [START.path, written(START.title, `# Start\n\n${INTRODUCTION}`, '')],
    ...chapters.map(({ name, title, markdown }) => [chapterPath(name), written(title, markdown, 'guide')] as const),
    ...topics.map(({ link, markdown }) => [link.path, written(link.title, markdown, '')] as const),
    [ERRORS.path, () => ({ title: ERRORS.title, content: errorsHtml(), outline: [] })],
    [OPERATORS.path, () => ({ title: OPERATORS.title, content: operatorsHtml(temporalUi), outline: [] })],
    ...reference.groups.map((group) => [groupPath(group.name), () => groupBody(reference, group, inline)] as const),
  ]);
  const sections: Section[] = [
    { title: 'Begin', links: [START, ...topics.map(({ link }) => link), ERRORS, OPERATORS, TRY] },
    { title: 'Guide', links: chapters.map(({ name, title }) => ({ path: chapterPath(name), title })) },
    { title: 'Reference', links: reference.groups.map(({ name }) => ({ path: groupPath(name), title: name })) },
  ];
  return { sections, bodies, entries: [...writtenEntries(chapters, topics), ...operationEntries(reference)] };
}

function groupBody(
  reference: Reference,
  { name, description = '' }: Reference['groups'][number],
  inline: (text: string) => string,
): Body {
  const operations = reference.operationsIn(name);
  return {
    title: name,
    content: `<h1>${name}</h1><p>${inline(description)}</p>\n${reference.page(name)}`,
    outline: operations.map(({ operation }) => ({ path: `#${operation.operationId}`, title: operation.summary })),
  };
}

function* sectionsIn(markdown: string): Generator<{ readonly title: string; readonly text: string }> {
  for (const part of markdown.split(/^(?=#+ )/m)) {
    const title = /^#+ (.*)$/m.exec(part)?.[1]?.replaceAll('`', '');
    if (title !== undefined) yield { title, text: part.replace(/^#+ .*$/m, '') };
  }
}

function writtenEntries(
  chapters: readonly Chapter[],
  topics: readonly { readonly link: Link; readonly markdown: string }[],
): Entry[] {
  const pages = [
    ...chapters.map(({ name, title, markdown }) => ({ path: chapterPath(name), title, markdown })),
    ...topics.map(({ link, markdown }) => ({ ...link, markdown })),
    { ...START, markdown: `# Start\n\n${INTRODUCTION}` },
  ];
  return [
    ...pages.flatMap((page) =>
      [...sectionsIn(page.markdown)].map(({ title, text }) =>
        entry(`${page.path}#${headingId(title)}`, title, page.title, text),
      ),
    ),
    entry(ERRORS.path, 'Error codes', ERRORS.title, 'codes problems refusals'),
    entry(OPERATORS.path, 'Operators', OPERATORS.title, 'Temporal UI workflows failed today waiting'),
  ];
}

function operationEntries(reference: Reference): Entry[] {
  return reference.groups.flatMap(({ name }) =>
    reference
      .operationsIn(name)
      .map(({ method, path, operation: { operationId, summary, description = '' } }) =>
        entry(`${groupPath(name)}#${operationId}`, summary, name, `${method} ${path} ${operationId} ${description}`),
      ),
  );
}

function toOutline(headings: readonly Heading[]): Link[] {
  return headings.filter(({ depth }) => depth <= 3).map(({ id, text }) => ({ path: `#${id}`, title: text }));
}

function chapterPath(name: string): string {
  return `/docs/guide/${name}`;
}

function groupPath(name: string): string {
  return `/docs/reference/${headingId(name.replaceAll('*', ''))}`;
}

function neighboursIn(sections: readonly Section[], path: string): Neighbours {
  const [links] = sections.map((section) => section.links).filter((some) => some.some((link) => link.path === path));
  const at = links?.findIndex((link) => link.path === path) ?? -1;
  return { before: links?.[at - 1], after: links?.[at + 1] };
}

/** Reads a page of docs/. */
function ownPage(file: string): Promise<string> {
  return readFile(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
}
