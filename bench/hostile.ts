/** Acts of a hostile company: registrations, filters, patterns and names, random but reproducible by seed. */
import fc from 'fast-check';
import { WEBHOOK_EVENTS } from '../domain/integrations/webhooks/events.ts';
import { OPERATORS } from '../domain/platform/conditions/conditions.ts';

export interface Act {
  readonly kind: 'registration' | 'filter' | 'pattern' | 'name';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

const EVIL_TEXTS = [
  "'; drop table partners; --",
  '__proto__',
  'constructor',
  '=cmd|"/c calc"!A1',
  '{{7*7}}',
  '../../etc/passwd',
  '%00%0d%0aSet-Cookie: a=b',
  '\u202etxt.exe',
  '😈'.repeat(200),
  '+5',
  '1e309',
  '-0',
  '9'.repeat(400),
  'a'.repeat(5000),
  '%'.repeat(500),
  '_'.repeat(500),
];
const EVIL_PATTERNS = [
  '^(a+)+$',
  '(a|aa)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x{1,500}){1,500}',
  '(?=a)b',
  '(a)\\1',
  '[',
  '\\p{L}{1000}',
  '(.*)*'.repeat(50),
  '((((((((((a*)*)*)*)*)*)*)*)*)*)',
];

/** Most acts are accepted, so that they have effects; the others are refused, which also costs time. */
const mostly = <T>(taken: fc.Arbitrary<T>, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: taken }, { weight: 1, arbitrary: other });
const short = fc.oneof(
  fc.constantFrom(...EVIL_TEXTS.filter((evil) => evil.length <= 50)),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({ minLength: 1, maxLength: 30 }),
);
const text = mostly(short, fc.oneof(fc.constantFrom(...EVIL_TEXTS), fc.string({ unit: 'binary', maxLength: 300 })));
const path = mostly(fc.constantFrom('total', 'name', 'lines.0.price', 'partner.name', 'a.b.c.d.e.f', 'code'), text);
const scalar = fc.oneof(short, fc.double({ noNaN: true }), fc.bigInt().map(String), fc.constant('+5'));
const value = mostly<unknown>(scalar, fc.oneof(fc.array(text, { maxLength: 20 }), fc.jsonValue()));
const condition = fc.record({ field: path, operator: fc.constantFrom(...OPERATORS), value });

/** @param target address of webhooks, each with its own path */
function acts(target: string, groupId: string, uomId: string): fc.Arbitrary<Act> {
  const events = fc.array(fc.constantFrom(...WEBHOOK_EVENTS), { minLength: 1, maxLength: 2 });
  const registration = fc.record({
    name: text,
    events,
    filters: fc.array(condition, { maxLength: 4 }),
    path: fc.nat(),
  });
  const filter = fc.record({
    list: fc.constantFrom('partners', 'items', 'uom', 'warehouses', 'sales'),
    field: mostly(fc.constantFrom('code'), text),
    operator: mostly(fc.constantFrom('contains', 'gt', 'in', 'lte', 'ne'), fc.constant('regex')),
    value: text,
    rest: mostly(fc.constantFrom('q'), fc.constantFrom('sort', 'limit', 'page', 'fields', 'format')),
    more: text,
  });
  const pattern = fc.record({ pattern: fc.oneof(fc.constantFrom(...EVIL_PATTERNS), text), number: fc.nat(10_000) });
  const names = fc.record({ name: text, code: mostly(fc.constant(undefined), text) });
  const numbered = fc.nat(10_000).map((number) => `custom_f${number % 100}`);
  return fc.oneof(
    registration.map(({ path, ...rest }) =>
      post('registration', '/api/webhooks', { ...rest, url: `${target}/${path}` }),
    ),
    filter.map(({ list, field, operator, value, rest, more }): Act => {
      const query = new URLSearchParams([
        [`${field}[${operator}]`, value],
        [rest, more],
      ]);
      return { kind: 'filter', method: 'GET', path: `/api/${list}?${query}` };
    }),
    pattern.map(({ pattern, number }) =>
      post('pattern', '/api/custom-fields', {
        table_name: 'BusinessPartner',
        field_name: `f${number % 100}`,
        label: `F ${number}`,
        type: 'TEXT',
        validation_regex: pattern,
      }),
    ),
    fc
      .tuple(names, numbered, fc.nat(400))
      .map(([body, field, length]) =>
        post('name', '/api/partners', { ...body, groupId, [field]: `${'a'.repeat(length)}!` }),
      ),
    names.map((body) => post('name', '/api/partners', { ...body, groupId })),
    names.map((body) => post('name', '/api/items', { ...body, uomId })),
  );
}

function post(kind: Act['kind'], path: string, body: unknown): Act {
  return { kind, method: 'POST', path, body };
}

/** Generates acts, the same for the same seed. */
export function hostileActs(count: number, seed: number, target: string, groupId: string, uomId: string): Act[] {
  return fc.sample(acts(target, groupId, uomId), { numRuns: count, seed });
}
