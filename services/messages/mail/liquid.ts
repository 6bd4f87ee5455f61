/**
 * Fills in the Liquid templates that companies write: within limits, from own properties only, without file access. The limits count what a
 * template does, but nothing can interrupt a single filter or comparison. A template that is not `isCheap` is therefore filled in by a
 * thread (`liquid-thread.ts`).
 */
import { CaptureTag, Context, defaultOperators, type FilterImplOptions, filters, Liquid, toValue } from 'liquidjs';
import { formatsFor } from '../../../domain/locale/formats.ts';
import type { Template } from '../../../domain/messages/mail/templates.ts';
import type { View } from '../../../domain/messages/mail/values.ts';
import { registerTypedFilters } from './liquid-filters.ts';
import { Rendering } from './liquid-values.ts';

/** Maximum characters of a text that a template produces, as its result or on the way. */
const MAX_TEXT = 50_000;
/** Limits of one template: characters, milliseconds, and all characters and entries that its filters make. */
const LIMITS = { parseLimit: 20_000, renderLimit: 100, memoryLimit: 2 * MAX_TEXT } as const;
/** Maximum characters that `contains` and filters look for: long texts in long texts take the square of their length. */
const MAX_SOUGHT = 200;
const SEEKING = ['split', 'replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'] as const;
/** A cheap template: outputs and tags, and the most characters that its outputs can become. */
const MAX_CHEAP_PARTS = 100;
const MAX_CHEAP_TEXT = 200_000;
/** Outputs of a name and conditions on one: nothing else is cheap. */
const CHEAP_PARTS =
  /\{\{-?\s*[A-Za-z_]\w*(?:\.\w+)*\s*-?\}\}|\{%-?\s*(?:else|endif|endunless|(?:if|unless)\s+[A-Za-z_]\w*(?:\.\w+)*)\s*-?%\}/g;

export const MEMBERS = ['subject', 'body', 'bodyHtml'] as const;
export type Member = (typeof MEMBERS)[number];

/** A template, with the data that fills it in. */
export interface Filling {
  readonly template: Template;
  readonly view: View;
}

/** The filled-in members, or the first fault. */
export type Filled = { readonly members: Readonly<Partial<Record<Member, FilledMember>>> } | { readonly fault: Fault };

export interface FilledMember {
  readonly text: string;
  /** Paths into the data, as lists of steps; computed steps, as in `document[name]`, are left out. */
  readonly paths: readonly (readonly string[])[];
  /** Values that filters and comparisons could not work with, in words. */
  readonly unresolved: readonly string[];
}

export interface Fault {
  readonly member: Member;
  readonly code: 'invalid_template' | 'invalid_path' | 'too_long';
  readonly message: string;
}

/** A `capture` of at most the text that a template may produce. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const captured: unknown = (context.bottom() as Record<string, unknown>)[this.variable];
    if (String(captured).length > MAX_TEXT) throw new Error(`a text must have at most ${MAX_TEXT} characters`);
  }
}

/** Templates cannot include files: there are neither tags for it nor files. */
const OPTIONS = {
  ...LIMITS,
  timezoneOffset: 0,
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {},
  operators: { ...defaultOperators, contains },
} as const;
const renderings = new WeakMap<Context, Rendering>();
const plain = createEngine(new Liquid(OPTIONS));
/** Escapes all values without exception: `raw` would put a customer's name into the mail as HTML. */
const html = createEngine(new Liquid({ ...OPTIONS, outputEscape: 'escape' }));
html.registerFilter('raw', (value: unknown) => value);
const ENGINES: Readonly<Record<Member, Liquid>> = { subject: plain, body: plain, bodyHtml: html };

/** Names that lead from the data into the language runtime. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

function createEngine(engine: Liquid): Liquid {
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag];
  engine.registerTag('capture', BoundedCapture);
  for (const name of SEEKING) {
    const handler = filters[name] as FilterImplOptions & ((...values: unknown[]) => unknown);
    engine.registerFilter(name, function (value, sought, ...rest) {
      assertShort(sought);
      return handler.call(this, value, sought, ...rest);
    });
  }
  registerTypedFilters(engine, filters, (context) => {
    const rendering = renderings.get(context);
    if (rendering === undefined) throw new Error('a filter was called outside of a rendering');
    return rendering;
  });
  return engine;
}

function* contains(text: unknown, sought: unknown, context: Context): Generator<unknown, boolean, unknown> {
  assertShort(yield toValue(sought));
  return Boolean(yield defaultOperators.contains?.(text, sought, context));
}

function assertShort(sought: unknown): void {
  if (String(sought).length > MAX_SOUGHT)
    throw new Error(`a text to look for must have at most ${MAX_SOUGHT} characters`);
}

/**
 * Whether a template takes less than a millisecond or two, whatever the data: it only outputs members of the data, and tests whether they
 * are there.
 */
export function isCheap({ template, view }: Filling): boolean {
  const dataLength = JSON.stringify(view.names).length;
  return MEMBERS.every((member) => {
    let parts = 0;
    const text = (template[member] ?? '').replaceAll(CHEAP_PARTS, () => {
      parts += 1;
      return ' ';
    });
    return !/\{[{%]/.test(text) && parts <= MAX_CHEAP_PARTS && parts * dataLength <= MAX_CHEAP_TEXT;
  });
}

/** Fills in a template. Unknown names become empty. */
export function fillIn({ template, view }: Filling): Filled {
  const members: Partial<Record<Member, FilledMember>> = {};
  const formats = formatsFor(view.printing.choices, view.printing.language);
  for (const member of MEMBERS) {
    const source = template[member];
    if (source === undefined || source === null) continue;
    try {
      const engine = ENGINES[member];
      const parsed = engine.parse(source);
      const paths = engine
        .globalVariableSegmentsSync(parsed)
        .map((path) => path.filter((step) => !Array.isArray(step)).map(String));
      const forbidden = paths.flat().find((step) => FORBIDDEN.has(step));
      if (forbidden !== undefined) {
        return { fault: { member, code: 'invalid_path', message: `must not lead through ${forbidden}` } };
      }
      const rendering = new Rendering(view.printing, formats);
      const context = new Context(rendering.revive(view.names) as object, engine.options, { sync: true });
      renderings.set(context, rendering);
      const text = String(engine.renderSync(parsed, context));
      if (text.length > MAX_TEXT) {
        return { fault: { member, code: 'too_long', message: `must produce at most ${MAX_TEXT} characters` } };
      }
      members[member] = { text, paths, unresolved: rendering.unresolved };
    } catch (error) {
      const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
      return { fault: { member, code: 'invalid_template', message: `is not a valid template: ${reason}` } };
    }
  }
  return { members };
}
