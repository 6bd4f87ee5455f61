/** Numbers that a write takes as its last lock, so that others wait as briefly as possible, and none is lost. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../database.ts';
import { ConcurrentChange } from '../errors.ts';
import { query } from '../sql.ts';

/** The source of the next number. */
export type NumberSource =
  /** A series of documents, by id: prefix, padding and suffix make the code. */
  | { readonly seriesId: string }
  /** A counter by name, which comes into being with its first number. */
  | { readonly counter: string; readonly prefix: string; readonly digits: number };

export interface Numbers {
  readonly number: number;
  readonly code: string;
}

/** SQL: whether all periods that must stay open were open. */
export const ALL_HELD = '(select count(*) from held) = cardinality(:held::uuid[])';

/** SQL that takes a number once all periods are held: one row with number and code. */
const FROM_SERIES = `update series set next_number = next_number + 1
    where id = :seriesId::uuid and ${ALL_HELD}
    returning next_number - 1 as number,
      prefix || lpad((next_number - 1)::text, greatest(padding, length((next_number - 1)::text)), '0') || suffix as code`;
const FROM_COUNTER = `insert into counters as c (tenant_id, name, next)
    select :tenant::uuid, :counter, 2 where ${ALL_HELD}
    on conflict (tenant_id, name) do update set next = c.next + 1
    returning c.next - 1 as number,
      :prefix || lpad((c.next - 1)::text, greatest(:digits::integer, length((c.next - 1)::text)), '0') as code`;

/** A number that a write is going to take. */
export class Numbering {
  /** Placeholders of the numbers in what is written; they cannot be guessed, so no text of a client is mistaken for one. */
  readonly pending: Numbers;
  readonly source: NumberSource;
  readonly #marks: { readonly number: string; readonly code: string };
  #taken: Numbers | null = null;

  constructor(source: NumberSource) {
    this.source = source;
    const id = randomUUID();
    this.#marks = { number: `number:${id}`, code: `code:${id}` };
    // The database reads digits in the mark's place; until then the row holds text where a number follows.
    this.pending = this.#marks as unknown as Numbers;
  }

  /** The numbers taken. @throws Error before the write */
  get taken(): Numbers {
    if (this.#taken === null) throw new Error('the number is not taken before the write');
    return this.#taken;
  }

  /** Only for the write. */
  take(numbers: Numbers): void {
    this.#taken = numbers;
  }

  /** Whether a text contains placeholders. */
  isIn(text: string): boolean {
    return text.includes(this.#marks.number) || text.includes(this.#marks.code);
  }

  /** Which of the forms of SQL it takes. */
  get form(): 'series' | 'counter' {
    return 'seriesId' in this.source ? 'series' : 'counter';
  }

  get sql(): string {
    return this.form === 'series' ? FROM_SERIES : FROM_COUNTER;
  }

  get bindings(): Record<string, string | number> {
    return { ...this.source, numberMark: `"${this.#marks.number}"`, codeMark: this.#marks.code };
  }
}

/** SQL of a JSON text in which placeholders are replaced by the numbers. */
export function withNumbers(binding: string): string {
  // As it stands within the quotes of a JSON text.
  const code = 'left(right(to_json(numbers.code)::text, -1), -1)';
  return `replace(replace(${binding}::text, :numberMark, numbers.number::text), :codeMark, ${code})::json`;
}

/** Lets a series give its last number again. @throws ConcurrentChange when the next one is taken meanwhile */
export async function giveBackNumber(trx: Db, seriesId: string, number: number): Promise<void> {
  const freed = await query(
    trx,
    'update series set next_number = next_number - 1 where id = :seriesId and next_number = :number + 1 returning 1',
    { seriesId, number },
  );
  if (freed.length === 0) throw new ConcurrentChange();
}
