/** The proceeds of a sale, and where they were entered. */
import type { Db } from '../../../../db/database.ts';
import { leftOfSale, namedAccount } from '../../../../db/queries/assets.ts';
import { STATE } from '../../../../db/queries/document-states.ts';
import { query } from '../../../../db/sql.ts';
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, decimalPlaces } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { AccountBook } from '../../accounting/account-book.ts';
import type { DisposalInput } from './schemas.ts';

export interface Proceeds {
  readonly amount: Decimal;
  /** The account on which they are; null for none. */
  readonly accountId: string | null;
  readonly documentLineId: string | null;
}

const NOTHING: Proceeds = { amount: '0', accountId: null, documentLineId: null };

/** @throws ServiceError validation_failed with a pointer for each fault */
export async function findProceeds(trx: Db, input: DisposalInput): Promise<Proceeds> {
  const faults = new Faults();
  const proceeds = input.kind === 'scrapped' ? nothing(input, faults) : await ofSale(trx, input, faults);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  if (decimalPlaces(proceeds.amount) > places)
    faults.add('/proceeds', 'too_many_decimals', `must have at most ${places} decimals`);
  faults.throwIfAny();
  return proceeds;
}

function nothing(input: DisposalInput, faults: Faults): Proceeds {
  for (const member of ['documentLineId', 'proceeds', 'proceedsAccountId'] as const) {
    if (input[member] !== undefined && input[member] !== null)
      faults.add(`/${member}`, 'not_applicable', 'cannot be given because the asset was not sold');
  }
  return NOTHING;
}

async function ofSale(trx: Db, input: DisposalInput, faults: Faults): Promise<Proceeds> {
  const { documentLineId, proceeds, proceedsAccountId } = input;
  if (documentLineId != null) {
    if (proceedsAccountId != null)
      faults.add('/proceedsAccountId', 'exclusive', 'cannot be given together with documentLineId');
    return await ofInvoice(trx, { ...input, documentLineId }, faults);
  }
  if (proceeds == null) faults.add('/proceeds', 'required', 'is required without documentLineId');
  if (proceedsAccountId == null) {
    faults.add('/proceedsAccountId', 'required', 'is required without documentLineId');
    return NOTHING;
  }
  const book = await AccountBook.loadLocked(trx, { roles: [], accounts: [proceedsAccountId] });
  book.use(proceedsAccountId, '', '/proceedsAccountId');
  for (const { pointer, code, message } of book.faults.list) faults.add(pointer, code, message);
  return { amount: decimal(proceeds ?? 0).toFixed(), accountId: proceedsAccountId, documentLineId: null };
}

const SALE_SQL = `
  select ${namedAccount('l', 'i', 'sales')} as "accountId", coalesce(i.type = 'product', false) as goods, ${leftOfSale('l')}::text as left,
    d.doc_type = 'SINV' and d.posted_at is not null and d.status <> ${STATE.cancelled} and l.amount > 0 as usable
  from document_lines l join documents d on d.id = l.document_id left join items i on i.id = l.item_id
  where l.id = :id::uuid`;

async function ofInvoice(
  trx: Db,
  { documentLineId, proceeds }: DisposalInput & { readonly documentLineId: string },
  faults: Faults,
): Promise<Proceeds> {
  const [line] = await query<{ accountId: string | null; goods: boolean; left: Decimal; usable: boolean }>(
    trx,
    SALE_SQL,
    {
      id: documentLineId,
    },
  );
  if (line?.usable !== true) {
    faults.add('/documentLineId', 'invalid_reference', 'must be a line of a posted sales invoice');
    return NOTHING;
  }
  const book = await AccountBook.loadLocked(trx, {
    roles: ['salesGoods', 'salesServices'],
    accounts: line.accountId === null ? [] : [line.accountId],
  });
  const role = line.goods ? 'salesGoods' : 'salesServices';
  const accountId = line.accountId === null ? book.role(role) : book.use(line.accountId, '', '/documentLineId');
  for (const { pointer, code, message } of book.faults.list) faults.add(pointer, code, message);
  const amount = decimal(proceeds ?? line.left);
  if (amount.gt(line.left) || decimal(line.left).lte(0)) {
    const message = `must be at most ${decimal(line.left).toFixed()}, what is left of the line`;
    faults.add('/proceeds', 'out_of_range', message);
  }
  return { amount: amount.toFixed(), accountId, documentLineId };
}
