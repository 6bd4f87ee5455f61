/** Consecutive numbers. A write takes its number as its last lock, so that others wait briefly and none is lost. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../database.ts';
import { ConcurrentChange } from '../errors.ts';
import { query } from '../sql.ts';
import type { NumberSource } from './description.ts';

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
  /** Placeholders of number and code in rows; they cannot be guessed, so no client's text is mistaken for one. */
  readonly pending: Numbers;
  readonly source: NumberSource;
  readonly #marks: { readonly number: string; readonly code: string };
  #taken: Numbers | null = null;

  constructor(source: NumberSource) {
    this.source = source;
    const id = randomUUID();
    this.#marks = { number: `number:${id}`, code: `code:${id}` };
    // The database replaces the mark by digits; until then the row holds text in place of a number.
    this.pending = this.#marks as unknown as Numbers;
  }

  /** The numbers taken. @throws Error before the write */
  get taken(): Numbers {
    if (this.#taken === null) throw new Error('the number is known only after the write');
    return this.#taken;
  }

  /** The code taken; null before the write. */
  get code(): string | null {
    return this.#taken?.code ?? null;
  }

  /** Called by the write only. */
  take(numbers: Numbers): void {
    this.#taken = numbers;
  }

  /** Whether a text contains placeholders. */
  isIn(text: string): boolean {
    return text.includes(this.#marks.number) || text.includes(this.#marks.code);
  }

  /** The form of its SQL. */
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

/** SQL that replaces the placeholders in a JSON text. */
export function withNumbers(binding: string): string {
  // Escaped as within a JSON string.
  const code = 'left(right(to_json(numbers.code)::text, -1), -1)';
  return `replace(replace(${binding}::text, :numberMark, numbers.number::text), :codeMark, ${code})::json`;
}

/** Returns the last number of a series, so that it can be taken again. @throws ConcurrentChange if the next one was taken meanwhile */
export async function giveBackNumber(trx: Db, seriesId: string, number: number): Promise<void> {
  const freed = await query(
    trx,
    'update series set next_number = next_number - 1 where id = :seriesId and next_number = :number + 1 returning 1',
    { seriesId, number },
  );
  if (freed.length === 0) throw new ConcurrentChange();
}
