/** Splits tax-inclusive amounts of lines, such as bank charges, into expense and deductible tax (decision 0159). */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type ChargeTax, chargeLines } from '../../../domain/ledger/accounting/charge.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { taxTreatment } from '../../../domain/ledger/accounting/tax-treatment.ts';
import type { Decimal } from '../../../domain/money.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';

/** A rate of a tax, and its validity. */
interface Rate {
  readonly id: string;
  readonly code: string;
  readonly rate: Decimal;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

interface Known {
  /** All rates with the tax's code, the named one first. */
  readonly rates: readonly Rate[];
  readonly book: AccountBook;
}

interface Taxed {
  readonly taxGroupId: string;
  readonly day: string;
  /** Whether to use the rate of the same code that is valid on the day. */
  readonly follow: boolean;
  /** Pointer to the part in the client's body. */
  readonly at: string;
}

const RATES_SQL = `select t.id, t.code, t.rate::text, t.valid_from as "validFrom", t.valid_to as "validTo"
  from taxes n join taxes t on t.code = n.code where n.id = :id::uuid order by t.id = n.id desc, t.valid_from for key share`;

/** Bank charges are for services. */
const CHARGE = {
  side: 'purchase',
  regime: 'general',
  goods: false,
  vatUse: 'current',
  deductiblePercent: null,
} as const;

/** Taxes and accounts, loaded on first use. */
export class Charges {
  readonly #trx: Db;
  readonly #taxes = new Map<string, Promise<Known>>();
  readonly #types = new Map<string, Promise<string | undefined>>();

  constructor(trx: Db) {
    this.#trx = trx;
  }

  /**
   * Splits a gross amount into lines.
   * @throws ServiceError validation_failed: a tax that does not exist, is not valid on the day or not for charges; an
   * account that is not for expenses
   */
  async split(gross: EntryLine, { taxGroupId, day, follow, at }: Taxed): Promise<EntryLine[]> {
    const refuse = (code: string, message: string) => invalidMember(`${at}/tax_group_id`, code, message);
    if ((await this.#accountType(gross.accountId)) !== 'expense') {
      throw refuse('not_allowed', 'is allowed only with an expense account');
    }
    const { rates, book } = await this.#known(taxGroupId);
    const [named] = rates;
    if (named === undefined) throw refuse('invalid_reference', 'refers to a tax group that does not exist');
    const rate = [named, ...(follow ? rates : [])].find((one) => isValidOn(one, day));
    if (rate === undefined) throw refuse('not_valid', `${named.code} is not valid on ${day}`);
    const tax = book.taxes.get(rate.id);
    if (tax === undefined) throw new Error('the book has all rates');
    if (tax.kind === 'reverse_charge')
      throw refuse('not_allowed', 'cannot be included in a charge because the buyer owes this tax');
    const inputAccountId =
      tax.inputAccountId === null ? book.role('inputTax') : book.use(tax.inputAccountId, 'in the tax group');
    book.faults.throwIfAny();
    const charge: ChargeTax = {
      ...taxTreatment({ ...CHARGE, tax }, book.deductionRegime),
      proRata: book.proRata,
      taxGroupId: tax.id,
      taxRate: tax.rate,
      inputAccountId,
    };
    return chargeLines(gross, charge, book.places);
  }

  #known(id: string): Promise<Known> {
    const known = this.#taxes.get(id) ?? this.#load(id);
    this.#taxes.set(id, known);
    return known;
  }

  async #load(id: string): Promise<Known> {
    const rates = await query<Rate>(this.#trx, RATES_SQL, { id });
    const book = await AccountBook.loadLocked(this.#trx, { roles: ['inputTax'], taxes: rates.map((rate) => rate.id) });
    return { rates, book };
  }

  #accountType(id: string): Promise<string | undefined> {
    const known = this.#types.get(id) ?? this.#readType(id);
    this.#types.set(id, known);
    return known;
  }

  async #readType(id: string): Promise<string | undefined> {
    const [account] = await query<{ type: string }>(this.#trx, 'select type from accounts where id = :id::uuid', {
      id,
    });
    return account?.type;
  }
}

function isValidOn({ validFrom, validTo }: Rate, day: string): boolean {
  return (validFrom === null || validFrom <= day) && (validTo === null || validTo >= day);
}
