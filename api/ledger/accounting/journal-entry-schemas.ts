/** Response schemas of journal entries. */

import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { ENTRY_KINDS } from '../../../domain/ledger/accounting/entries.ts';
import {
  amount,
  choice,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { WARNINGS } from '../../resource.ts';
import { compared } from '../../route.ts';

const head = {
  id: uuid(),
  number: nullable(integer({ description: 'Unique in the fiscal year, assigned after posting; null in a draft' })),
  fiscalYear: integer({ description: 'The calendar year in which the fiscal year begins' }),
  date: day(),
  periodId: uuid(),
  kind: choice(ENTRY_KINDS),
  status: choice(['draft', 'posted']),
  description: nullable(text()),
  sourceType: nullable(
    text({ description: 'The source of the entry, such as sales_invoice; null for manual entries' }),
  ),
  sourceId: nullable(uuid()),
  reversalOf: nullable(uuid({ description: 'The entry reversed by this one' })),
  reversedBy: nullable(uuid({ description: 'The entry that reverses this one' })),
  reversesOn: nullable(
    day({ description: 'The day on which the service reverses it; null if none is planned, and once it is reversed' }),
  ),
  total: amount({ description: 'Total debits, equal to total credits' }),
  createdBy: nullable(uuid()),
  postedAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

const Line = Type.Object({
  lineNumber: integer(),
  accountId: uuid(),
  accountCode: text(),
  accountName: text(),
  debit: amount(),
  credit: amount(),
  partnerId: nullable(uuid()),
  projectId: nullable(uuid()),
  costCenterId: nullable(uuid()),
  description: nullable(text()),
  currency: nullable(text({ description: 'Currency of currencyAmount; null for lines in the company’s alone' })),
  currencyAmount: nullable(amount({ description: 'The amount in that currency, on the side of the line' })),
  serviceFrom: nullable(day({ description: 'First day of the service over which the line is spread' })),
  serviceTo: nullable(day({ description: 'Last day of that service' })),
  dueDate: nullable(day({ description: 'Due date of the open item' })),
  reference: nullable(text({ description: 'Reference of the open item' })),
  settlesId: nullable(uuid({ description: 'The invoice or open item settled by the line' })),
  openItemId: nullable(
    uuid({
      description: "The partner's open item created by the line; `document_type: open_item` in links of payments",
    }),
  ),
  outstanding: nullable(amount({ description: 'Amount of the open item; negative for a credit' })),
  tax: nullable(
    Type.Object({
      kind: text({
        description: 'output, input, surcharge or withholding; pending_output and others: tax of the cash basis',
      }),
      operation: text(),
      use: text(),
      rectifying: flag(),
      taxGroupId: nullable(uuid()),
      rate: amount(),
      base: amount(),
      amount: amount(),
    }),
  ),
});
export const JournalEntryHead = compared(Type.Object(head, { title: 'JournalEntryHead' }));
export const JournalEntry = compared(
  Type.Object({ ...head, lines: Type.Array(Line), warnings: Type.Optional(WARNINGS) }, { title: 'JournalEntry' }),
);

/** SQL of a line's tax: kind, operation, use (of tax borne), rectifying, rate and tax group. */
const TAXED_AS = `concat(l.tax_kind, ':', l.tax_operation, ':', case when l.tax_kind in ('input', 'pending_input') then l.tax_use end, ':',
  l.tax_rectifying::text, ':', trim_scale(l.tax_rate)::text, ':', l.tax_group_id::text)`;

export const entryList: ListDefinition = {
  defaultSort: '-date',
  key: 'e.id',
  fields: {
    number: { type: 'integer', column: 'e.number' },
    fiscalYear: { type: 'integer', column: 'e.fiscal_year' },
    date: { type: 'date', column: 'e.date', notNull: true },
    periodId: { type: 'uuid', column: 'e.period_id' },
    kind: { type: 'choice', column: 'e.kind', choices: ENTRY_KINDS },
    status: { type: 'choice', column: 'e.status', choices: ['draft', 'posted'] },
    description: { type: 'text', column: 'e.description', searchable: true },
    sourceType: { type: 'text', column: 'e.source_type' },
    sourceId: { type: 'uuid', column: 'e.source_id' },
    reversalOf: { type: 'uuid', column: 'e.reversal_of' },
    total: { type: 'number', column: 'e.total' },
    createdBy: { type: 'uuid', column: 'e.created_by' },
    postedAt: { type: 'instant', column: 'e.posted_at' },
    createdAt: { type: 'instant', column: 'e.created_at' },
    updatedAt: { type: 'instant', column: 'e.updated_at' },
    accountId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.account_id = ?::uuid)',
      sortable: false,
    },
    partnerId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.partner_id = ?::uuid)',
      sortable: false,
    },
    consumptionCountry: {
      type: 'text',
      condition: `e.id in (select l.entry_id from journal_lines l join taxes t on t.id = l.tax_group_id
        where l.tax_operation in ('oss_goods', 'oss_services') and t.consumption_country = ?)`,
      sortable: false,
    },
    taxedAs: {
      type: 'text',
      condition: `exists (select from journal_lines l where l.entry_id = e.id and l.tax_kind is not null and ${TAXED_AS} = ?)`,
      sortable: false,
    },
  },
};
