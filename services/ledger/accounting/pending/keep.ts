/**
 * Maintains entries of notes, for companies that want them: uninvoiced amounts stand on 4009 and 4309 (decision 0156).
 */
import { followUp } from '../../../../db/changes/follow-up.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import { PLACES } from '../../../platform/settings/format.ts';
import { AccountBook } from '../account-book.ts';
import { lineAccount } from '../line-account.ts';
import { type EntryDay, writeEntries } from '../write-entry.ts';
import { NOTE_COLUMNS, pendingLines, STANDS } from './lines-sql.ts';
import { PENDING_ROLES } from './parts.ts';

/** SQL of the note lines that lines `:lines` are, or are based on; rectifying lines reach them through the invoice. */
const NOTE_LINES = `select distinct case when b.base_type in ('SDN', 'PDN') then b.base_line_id else g.id end as id
  from unnest(:lines::uuid[]) g(id) left join document_lines b on b.id = g.id`;

/** A note line, as entered and as it should be. */
interface KeptLine {
  readonly id: string;
  readonly noteId: string;
  readonly sourceType: string;
  readonly description: string;
  readonly side: 'sales' | 'purchase';
  readonly partnerId: string;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly itemId: string | null;
  /** The line's own account, and the two on which it is already entered. */
  readonly accountId: string | null;
  readonly pendingAccountId: string | null;
  readonly contraAccountId: string | null;
  /** Amount still to be entered, as a debit of 4009 or 4309. */
  readonly amount: Decimal;
}

/** Columns of the other half are null for a line that was never entered and whose note is gone. */
const KEPT_SQL = `
  with given as materialized (${NOTE_LINES}), notes as (
    select distinct ${NOTE_COLUMNS} from documents d join document_lines l on l.document_id = d.id
    where l.id in (select id from given) and d.doc_type in ('SDN', 'PDN') and ${STANDS}
  ), entered as (
    select p.note_line_id as id, sum(p.debit - p.credit) as amount, (array_agg(p.account_id order by e.seq))[1] as pending_account,
      (array_agg(c.account_id order by e.seq))[1] as contra_account, (array_agg(c.project_id order by e.seq))[1] as project_id,
      (array_agg(c.cost_center_id order by e.seq))[1] as cost_center_id, (array_agg(p.partner_id order by e.seq))[1] as partner_id,
      (array_agg(e.source_id order by e.seq))[1] as note_id, (array_agg(e.source_type order by e.seq))[1] as source_type,
      (array_agg(e.description order by e.seq))[1] as description
    from given g join journal_lines p on p.note_line_id = g.id join journal_entries e on e.id = p.entry_id
    join journal_lines c on c.entry_id = p.entry_id and c.line_number = p.line_number + 1
    group by 1
  ), kept as (
    select g.id, coalesce(e.note_id, o.note_id) as "noteId", e.source_type as "sourceType", e.description, o.code, o.doc_type as "docType",
      coalesce(e.partner_id, o.partner_id) as "partnerId", case when e.id is null then o.project_id else e.project_id end as "projectId",
      case when e.id is null then o.cost_center_id else e.cost_center_id end as "costCenterId", o.item_id as "itemId",
      o.account_id as "accountId", e.pending_account as "pendingAccountId", e.contra_account as "contraAccountId",
      round(coalesce(o.amount * o.pending / o.quantity, 0) * case o.doc_type when 'PDN' then -1 else 1 end, ${PLACES})
        - coalesce(e.amount, 0) as amount, o.line_number
    from given g left join entered e on e.id = g.id left join (${pendingLines('notes')}) o on o.id = g.id
    where e.id is not null or (:begins::boolean and o.id is not null)
  )
  select *, amount::text as amount, case "docType" when 'SDN' then 'sales' else 'purchase' end as side
  from kept where amount <> 0 order by "noteId", line_number, id`;

type Found = Omit<KeptLine, 'sourceType' | 'description'> & {
  readonly sourceType: string | null;
  readonly description: string | null;
  readonly code: string | null;
  readonly docType: 'SDN' | 'PDN' | null;
};

/** A change of lines that the entries of their notes must follow. */
interface NotesToKeep {
  /** Ids of note lines, or of lines based on them; also of deleted notes. */
  readonly lines: readonly string[];
  readonly on: EntryDay;
  /** Whether they belong to a new note, which gets an entry of its own. */
  readonly begins: boolean;
}

/**
 * Adjusts the entries of notes to their uninvoiced amounts after a change of their lines. A note without entries gets
 * none, unless it is new.
 * @throws ServiceError validation_failed (an account that cannot be used), period_closed
 */
export const keepNoteEntries = followUp<NotesToKeep>('enter pending notes', async (trx, ctx, { lines, on, begins }) => {
  if (lines.length === 0 || !(begins || (await hasEnteredNotes(trx, lines)))) return;
  // The lock makes the second of two invoices of a note see the remainder left by the first.
  await query(
    trx,
    `select id from documents where id in (select document_id from document_lines where id in (${NOTE_LINES})) order by id for update`,
    { lines },
  );
  const found = await query<Found>(trx, KEPT_SQL, { lines, begins, day: 'infinity' });
  const books = await loadBooks(trx, found);
  const byNote = new Map<string, { readonly first: Found; readonly lines: EntryLine[] }>();
  for (const line of found) {
    const entry = byNote.get(line.noteId) ?? { first: line, lines: [] };
    byNote.set(line.noteId, entry);
    const book = books[line.side];
    const made = buildLines(line, book);
    entry.lines.push(...(book?.dimensions.assign(made) ?? made));
  }
  for (const book of Object.values(books)) book?.faults.throwIfAny();
  const entries = [...byNote.values()].map(({ first, lines: entered }) => {
    const { code, docType, noteId: sourceId } = first;
    const named = docType && {
      sourceType: DOCUMENT_TYPES[docType].name,
      description: `Albarán ${code} pendiente de factura`,
    };
    const { sourceType, description } = named ?? first;
    return { ...on, sourceType, description, sourceId, lines: entered };
  });
  if (entries.length > 0) await writeEntries(trx, ctx, entries);
});

/** Whether any line belongs to, or is based on, a note with an entry of its own. */
async function hasEnteredNotes(trx: Db, lines: readonly string[]): Promise<boolean> {
  const [row] = await query<{ entered: boolean }>(
    trx,
    `select exists (select from journal_lines j where j.note_line_id = any(array(${NOTE_LINES}))) as entered`,
    { lines },
  );
  return row?.entered === true;
}

type Books = { readonly [Side in KeptLine['side']]?: AccountBook };

/** Loads the accounts for lines that are entered for the first time. */
async function loadBooks(trx: Db, found: readonly Found[]): Promise<Books> {
  const fresh = found.filter(({ pendingAccountId }) => pendingAccountId === null);
  const [first] = fresh;
  if (first === undefined) return {};
  // Only a new note gets a first entry, and a note has one side.
  const book = await AccountBook.loadLocked(trx, {
    roles: PENDING_ROLES[first.side],
    side: first.side,
    items: fresh.flatMap(({ itemId }) => itemId ?? []),
    accounts: fresh.flatMap(({ accountId }) => accountId ?? []),
  });
  return { [first.side]: book };
}

/** Builds the line on 4009 or 4309, followed by that of income or expense, through which it is found again. */
function buildLines(line: Found, book: AccountBook | undefined): EntryLine[] {
  const { id: noteLineId, side, amount, partnerId, projectId, costCenterId, pendingAccountId, contraAccountId } = line;
  const pending = pendingAccountId ?? book?.role(side === 'sales' ? 'salesPending' : 'purchasesPending') ?? '';
  const contra = contraAccountId ?? (book && lineAccount(book, line, { side, rectifying: false, pointer: '' })) ?? '';
  return [
    entryLine('debit', pending, amount, { partnerId, noteLineId }),
    entryLine('credit', contra, amount, { projectId, costCenterId }),
  ];
}
