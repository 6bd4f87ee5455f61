/**
 * One search over what a company has: partners, items, documents, payments and journal entries, by code, name, reference or amount.
 * It takes one round trip, and looks at bounded numbers of rows: codes of documents by their index, the rest among the newest.
 */
import type { Reader } from '../../../db/database.ts';
import { containing, rarePart, TRIGRAM } from '../../../db/queries/conditions.ts';
import { prepared } from '../../../db/sql.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';

/** Kinds of results, as in their `type`. */
export const FOUND_TYPES = [
  'partner',
  'item',
  ...DOC_TYPES.map((docType) => DOCUMENT_TYPES[docType].name),
  'payment_in',
  'payment_out',
  'journal_entry',
  'serial_number',
];

export interface Found {
  readonly type: string;
  readonly id: string;
  /** Code, number or reference. */
  readonly code: string | null;
  readonly name: string | null;
  readonly date: string | null;
  readonly amount: number | null;
  readonly matched: 'code' | 'name' | 'reference' | 'amount';
}

/** Rows of a kind in which amounts, and texts without an index, are looked for: the newest. */
const NEWEST = 5_000;
/** Rows of each kind that are ranked. */
const RANKED = 50;

/** Rank of a text: equal to what is searched, begun by it, or with it inside. */
const rank = (column: string) => `case when lower(${column}) = lower(:q) then 3 when ${column} ilike :beginning then 2
  when ${column} ilike :pattern then 1 else 0 end`;

/** SQL of a kind of result, whose best rows are ranked. */
const best = (
  rows: string,
) => `(select * from (${rows}) as kind where score > 0 order by score desc, date desc nulls last, id desc
  limit ${RANKED})`;

const PARTNERS = best(`select 'partner' as type, id, code, name, null::date as date, null::numeric as amount,
    greatest(${rank('code')} * 10, ${rank('nif')} * 10, ${rank('name')} * 10 - 1) as score,
    case when ${rank('code')} > 0 then 'code' when ${rank('name')} > 0 then 'name' else 'reference' end as matched
  from partners where :types::text[] @> array['partner'] and (code ilike :pattern or name ilike :pattern or nif ilike :pattern)`);

const ITEMS = best(`select 'item' as type, id, code, name, null::date as date, null::numeric as amount,
    greatest(${rank('code')} * 10, ${rank('sku')} * 10, ${rank('barcode')} * 10, ${rank('name')} * 10 - 1) as score,
    case when ${rank('code')} > 0 then 'code' when ${rank('name')} > 0 then 'name' else 'reference' end as matched
  from items where :types::text[] @> array['item']
    and (code ilike :pattern or name ilike :pattern or sku ilike :pattern or barcode ilike :pattern)`);

const DOCUMENTS = best(`select kinds.name as type, d.id, d.code, p.name, d.date, d.total as amount,
    greatest(${rank('d.code')} * 10, ${rank('d.reference')} * 10 - 1, ${rank('d.supplier_reference')} * 10 - 1,
      case when d.total = :amount::numeric then 25 else 0 end) as score,
    case when ${rank('d.code')} > 0 then 'code' when d.total = :amount::numeric then 'amount' else 'reference' end as matched
  from unnest(:docTypes::text[], :docNames::text[]) as kinds (doc_type, name)
    cross join lateral (
      (select documents_containing(kinds.doc_type, :pattern, :part, ${RANKED * 4}) as id where :isIndexed)
      union select id from (select id, total from documents where doc_type = kinds.doc_type and :amount::numeric is not null
          order by date desc, id desc limit ${NEWEST}) as newest where total = :amount::numeric) as found
    join documents d on d.id = found.id join partners p on p.id = d.partner_id`);

const PAYMENTS = best(`select 'payment_' || direction as type, x.id, x.reference as code, p.name, x.date, x.amount,
    greatest(${rank('x.reference')} * 10, case when x.amount = :amount::numeric then 25 else 0 end) as score,
    case when ${rank('x.reference')} > 0 then 'reference' else 'amount' end as matched
  from unnest(array['in', 'out']) as sides (side)
    cross join lateral (select * from payments where direction = sides.side and :types::text[] @> array['payment_' || sides.side]
      order by date desc, id desc limit ${NEWEST}) as x
    join partners p on p.id = x.partner_id
  where x.reference ilike :pattern or x.amount = :amount::numeric`);

const ENTRIES =
  best(`select 'journal_entry' as type, e.id, e.number::text as code, e.description as name, e.date, e.total as amount,
    greatest(case when e.number::text = :q then 30 else 0 end, ${rank('e.description')} * 10 - 1,
      case when e.total = :amount::numeric then 25 else 0 end) as score,
    case when e.number::text = :q then 'code' when e.total = :amount::numeric then 'amount' else 'name' end as matched
  from (select * from journal_entries where :types::text[] @> array['journal_entry'] order by date desc, id desc limit ${NEWEST}) as e
  where e.number::text = :q or e.description ilike :pattern or e.total = :amount::numeric`);

/** Serial numbers, found only whole: there may be millions. */
const SERIALS =
  best(`select 'serial_number' as type, b.id, b.batch_num as code, i.name, null::date as date, null::numeric as amount,
    30 as score, 'code' as matched
  from batches b join items i on i.id = b.item_id and i.serial_tracked
  where :types::text[] @> array['serial_number'] and b.batch_num in (:q, upper(:q), lower(:q))`);

const SEARCH = `select type, id, code, name, date::text as date, amount::float8 as amount, matched from (
    ${[PARTNERS, ITEMS, DOCUMENTS, PAYMENTS, ENTRIES, SERIALS].join(' union all ')}) as found
  order by score desc, date desc nulls last, type, id desc limit :limit::int`;

/**
 * Finds what a text or an amount occurs in, the best first: equal codes, amounts, beginnings, then what has it inside.
 * @param types what to look for; the caller may read all of these
 */
export async function search(
  reader: Reader,
  { q, types, limit }: { readonly q: string; readonly types: readonly string[]; readonly limit: number },
): Promise<Found[]> {
  const wanted: DocType[] = DOC_TYPES.filter((docType) => types.includes(DOCUMENT_TYPES[docType].name));
  const part = rarePart(q);
  return await prepared<Found>(reader, SEARCH, {
    q,
    pattern: containing(q),
    beginning: containing(q).slice(1),
    part: containing(part),
    isIndexed: part.length >= TRIGRAM,
    amount: toAmount(q),
    types: [...types],
    docTypes: wanted,
    docNames: wanted.map((docType) => DOCUMENT_TYPES[docType].name),
    limit,
  });
}

/** The amount that a text says, with a point or a comma before two decimals: 1.234,50 or 1,234.50. Null if it says none. */
export function toAmount(text: string): string | null {
  const digits = text.replaceAll(/[\s€]/g, '');
  if (!/^-?\d{1,3}([.,]?\d{3})*([.,]\d{1,2})?$/.test(digits)) return null;
  const [, whole = '', decimals = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  return `${whole.replaceAll(/[.,]/g, '')}.${decimals}`;
}
