import { Category } from '../../../db/models/records/catalogue.ts';
import { COST_METHODS } from '../../../domain/trade/stock/cost-methods.ts';
import { choice, integer, label, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { depthBelow, lockTree, moveBelow } from './category-tree.ts';

const SUBTREE = `id in (
  with recursive below as (
    select id from categories where id = ?::uuid
    union select c.id from categories c join below on c.parent_id = below.id
  ) select id from below)`;

export const categories = declareResource({
  name: 'Category',
  plural: 'Categories',
  path: '/api/categories',
  tag: 'Items',
  model: Category,
  defaultSort: 'name',
  fields: {
    code: { schema: label({ max: 30, description: 'Unique' }), searchable: true },
    name: { schema: label(), required: true, searchable: true },
    parentId: { schema: uuid({ description: 'The parent category' }), reference: { table: 'categories' } },
    codePrefix: { schema: text({ max: 10, description: 'Prefix of the codes of new items in the category' }) },
    salesAccountId: {
      schema: uuid({ description: 'For sales of items without one, also in categories below' }),
      reference: { table: 'accounts', mustBeActive: true },
    },
    purchaseAccountId: {
      schema: uuid({ description: 'For purchases of items without one, also in categories below' }),
      reference: { table: 'accounts', mustBeActive: true },
    },
    costMethod: {
      schema: choice(COST_METHODS, { description: 'Of new items without one, also in categories below' }),
    },
    depth: { schema: integer({ description: '0 at the top' }), filled: true, write: 'never' },
  },
  filters: { under: { type: 'uuid', condition: SUBTREE, sortable: false } },
  lock: ({ trx, ctx }) => lockTree(trx, ctx),
  onCreate: async ({ trx }, values) => ({ ...values, depth: await depthBelow(trx, values.parentId as string | null) }),
  onPatch: async ({ trx, ctx }, values, current) =>
    values.parentId === undefined || values.parentId === current.parentId
      ? values
      : { ...values, depth: await moveBelow(trx, ctx, current, values.parentId as string | null) },
});
