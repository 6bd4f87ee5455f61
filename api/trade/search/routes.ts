/** One search over partners, items, documents, payments and journal entries. */
import { Type } from 'typebox';
import { ServiceError } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { choice, day, integer, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { FOUND_TYPES, search } from '../../../services/trade/search/search.ts';
import { assertPermission } from '../../permission.ts';
import { type Caller, defineRoute, type Route } from '../../route.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;
const SHORTEST = 2;

/** Permission and path of each type of result. */
const KINDS: Readonly<Record<string, { readonly permission: Permission; readonly path: string }>> = {
  partner: { permission: 'partners:read', path: '/api/partners' },
  item: { permission: 'items:read', path: '/api/items' },
  payment_in: { permission: 'payments_in:read', path: '/api/payments/in' },
  payment_out: { permission: 'payments_out:read', path: '/api/payments/out' },
  journal_entry: { permission: 'journal_entries:read', path: '/api/journal-entries' },
  serial_number: { permission: 'stock:read', path: '/api/serials' },
  ...Object.fromEntries(
    DOC_TYPES.map((docType) => {
      const { name, resource, path } = DOCUMENT_TYPES[docType];
      return [name, { permission: `${resource}:read` as const, path }];
    }),
  ),
};

const result = Type.Object(
  {
    type: choice(FOUND_TYPES),
    id: uuid(),
    code: nullable(Type.String({ description: 'Code, number or reference' })),
    name: nullable(Type.String({ description: 'Its name, that of the partner, or the text of the entry' })),
    date: nullable(day()),
    amount: nullable(Type.Number({ description: 'Total or amount; null for what has none' })),
    matched: choice(['code', 'name', 'reference', 'amount'], { description: 'Where the text was found' }),
    path: Type.String({ description: 'Where to read the whole' }),
  },
  { title: 'SearchResult' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/search',
    id: 'search',
    summary: 'Search everything',
    description: [
      'Partners, items, documents, payments and journal entries by code, name, reference or amount, the best first: equal codes, amounts,',
      'beginnings, then what has the text inside. Only what you may read. Amounts, payments and entries are looked for among the newest',
      '5,000 of their kind; the lists search all of them.',
    ].join(' '),
    tag: 'Search',
    access: 'member',
    problems: ['forbidden'],
    query: Type.Object({
      q: text({ min: SHORTEST, max: 100, description: 'Two characters or more' }),
      types: Type.Optional(
        text({
          max: 300,
          description: `Only these, comma-separated: ${FOUND_TYPES.join(', ')}. By default, all that you may read`,
        }),
      ),
      limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
    }),
    responses: { 200: Type.Object({ data: Type.Array(result) }, { title: 'SearchResults' }) },
    async handler({ reader, caller, query: { q, types, limit = DEFAULT_LIMIT } }) {
      const words = q.trim();
      if (words.length < SHORTEST) throw new ServiceError('invalid_parameter', 'q must have at least 2 characters');
      const found = await search(reader, {
        q: words,
        types: types === undefined ? readable(caller) : named(caller, types),
        limit,
      });
      return {
        status: 200,
        body: { data: found.map((one) => ({ ...one, path: `${KINDS[one.type]?.path}/${one.id}` })) },
      };
    },
  }),
];

function readable({ permissions }: Caller): string[] {
  return FOUND_TYPES.filter((type) => permissions.has(KINDS[type]?.permission as Permission));
}

/** @throws ServiceError invalid_parameter, forbidden */
function named(caller: Caller, types: string): string[] {
  const names = types.split(',').map((type) => type.trim());
  for (const name of names) {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind === undefined)
      throw new ServiceError('invalid_parameter', `types cannot contain ${name}; there are ${FOUND_TYPES.join(', ')}`);
    assertPermission(caller, kind.permission);
  }
  return names;
}
