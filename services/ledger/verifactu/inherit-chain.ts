/** Lets the records of a company go on where another program has ended. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';

/** The last record of the program before. */
export interface InheritedRecord {
  /** Series and number of its invoice. */
  readonly number: string;
  /** Date of that invoice. */
  readonly date: string;
  /** 64 hexadecimal capitals. */
  readonly hash: string;
}

export interface Chain {
  readonly id: string;
  /** Tax id of the company. */
  readonly issuer: string;
  readonly records: number;
  readonly inherited: (InheritedRecord & { readonly issuer: string }) | null;
}

const CHAIN_SQL = `
  select c.id, c.issuer, c.seq as records, c.inherited from verifactu_chains c
  where c.issuer = (select value->>'taxId' from settings where name = 'company')`;

/**
 * States the last record of the program before, which the first record here names; null if the chain begins here.
 * @throws ServiceError invalid_transition: no records are made, or the chain has some
 */
export async function inheritChain(trx: Db, record: InheritedRecord | null): Promise<Chain> {
  const [chain] = await query<Chain>(trx, `${CHAIN_SQL} for update`, {});
  if (chain === undefined) throw refused('the company makes no records: PUT /api/config/verifactu');
  if (chain.records > 0) throw refused('the chain already has records of its own, which never change');
  const inherited = record === null ? null : { issuer: chain.issuer, ...record };
  await query(
    trx,
    `update verifactu_chains set number = :number, date = :date::date, hash = :hash, inherited = :inherited::jsonb where id = :id::uuid`,
    {
      id: chain.id,
      number: record?.number ?? null,
      date: record?.date ?? null,
      hash: record?.hash ?? null,
      inherited: inherited === null ? null : JSON.stringify(inherited),
    },
  );
  return { ...chain, inherited };
}

function refused(why: string): ServiceError {
  return new ServiceError('invalid_transition', `The record before cannot be stated because ${why}`);
}
