/** Ways in which a value grows: in size, depth, width, and in what the languages of users make of it. */

/** Makes a value of about so many bytes of JSON. */
export type Growth = (bytes: number) => unknown;

/** Repeats until there are so many characters. */
function filled(part: string, bytes: number): string {
  return part.repeat(Math.max(1, Math.floor(bytes / part.length)));
}

const wrapped = (open: string, inside: string, close: string): Growth => {
  return (bytes) => {
    const times = Math.max(1, Math.floor(bytes / (open.length + close.length)));
    return open.repeat(times) + inside + close.repeat(times);
  };
};

/** Texts that languages of users read: templates, patterns, conditions, paths, cron expressions, references, markup, numbers. */
export const TEXTS: Readonly<Record<string, Growth>> = {
  plain: (bytes) => 'a'.repeat(bytes),
  blanks: (bytes) => `a${' '.repeat(bytes)}b`,
  lines: (bytes) => filled('a\n', bytes),
  'other letters': (bytes) => filled('ﷺ', bytes / 3),
  'combined letters': (bytes) => `a${filled('\u0301\u0323', bytes / 4)}`,
  digits: (bytes) => '9'.repeat(bytes),
  'a list of numbers': (bytes) => filled('1,', bytes),
  wildcards: (bytes) => filled('%_\\', bytes / 2),
  quotes: (bytes) => filled('\'"`', bytes),
  dots: (bytes) => filled('a.', bytes),
  'placeholders of templates': (bytes) => filled('{{ document.number }}', bytes),
  'filters of templates': (bytes) => `{{ 'a' ${filled("| append: 'aaaaaaaa' ", bytes)}}}`,
  'texts that templates double': (bytes) =>
    `{% assign a='aaaa' %}${filled('{% assign a = a | append: a %}', bytes)}{{a}}`,
  'searches of templates': (bytes) =>
    `{% if ${filled("'aaaaaaaaaaaaaaaa' contains 'aaab' or ", bytes)} a %}{% endif %}`,
  'loops of templates': wrapped('{% for i in (1..99) %}', '{{i}}', '{% endfor %}'),
  'conditions of templates': wrapped('{% if a %}', 'x', '{% endif %}'),
  'open templates': (bytes) => filled('{{', bytes),
  'pattern that nests': wrapped('(', 'a', '+)+'),
  'pattern that repeats': (bytes) => filled('(a{1,99}){1,9}', bytes),
  'pattern of classes': (bytes) => filled('[\\p{L}\\p{N}]?', bytes),
  'pattern of choices': (bytes) => filled('(a|aa|aaa)*', bytes),
  'cron lists': (bytes) => `${filled('0-59/1,', bytes)}0 * * * *`,
  'references in paths': (bytes) => `/api/sales/${filled('{so.data.id}', bytes)}`,
  markup: wrapped('<b>', 'x', '</b>'),
  'open markup': (bytes) => filled('<a href="', bytes),
  addresses: (bytes) => `${filled('a.', bytes)}@${filled('b.', Math.min(bytes, 100))}test`,
  'web address': (bytes) => `https://example.test/${filled('%41/', bytes)}`,
};

/** Values of any form, where a schema takes another or any one. */
export const VALUES: Readonly<Record<string, Growth>> = {
  'nested lists': (bytes) => nested(bytes / 2, (inner) => [inner]),
  'nested objects': (bytes) => nested(bytes / 6, (inner) => ({ a: inner })),
  'references in references': (bytes) => nested(bytes / 9, (inner) => ({ $ref: inner })),
  'many members': (bytes) => members(bytes / 14, () => 1),
  'many empty objects': (bytes) => list(bytes / 3, () => ({})),
  'many empty lists': (bytes) => list(bytes / 3, () => []),
  'many nulls': (bytes) => list(bytes / 5, () => null),
  'many numbers': (bytes) => list(bytes / 9, (at) => at + 0.123456),
  'long names': (bytes) => ({ ['n'.repeat(bytes)]: 1 }),
  'conditions that nest': (bytes) => nested(bytes / 8, (inner) => ({ and: [inner] })),
  'schemas that nest': (bytes) => nested(bytes / 40, (inner) => ({ type: 'object', properties: { a: inner } })),
};

function nested(times: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  // JSON.stringify descends some thousand levels; the service refuses far fewer.
  for (let level = 0; level < Math.min(times, 2000); level += 1) value = wrap(value);
  return value;
}

export function list<T>(length: number, entry: (at: number) => T): T[] {
  return Array.from({ length: Math.max(1, Math.floor(length)) }, (_, at) => entry(at));
}

export function members(count: number, value: (at: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(list(count, (at) => [`member${at}`, value(at)] as const));
}
