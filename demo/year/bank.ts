/** The account at the bank: a statement for each month, imported as its file and matched with what the books expect. */
import { decimal, sum, toNumber } from '../../domain/money.ts';
import type { ApiClient, Json } from '../api-client.ts';
import { byDate } from './plan.ts';

const IBAN = 'ES9121000418450200051332';

/** A movement. Its explanation is what the books know of it: without one, what the service suggests. */
export interface Movement {
  readonly date: string;
  readonly text: string;
  readonly amount: number;
  readonly accountCode?: string;
  readonly paymentId?: string;
}

interface SuggestedLine {
  readonly id: string;
  readonly text: string | null;
  readonly suggestions: readonly { readonly score: number }[];
}

export interface Matched {
  readonly lines: number;
  readonly accepted: number;
}

export class Bank {
  readonly accountId: string;
  readonly #client: ApiClient;
  #balance = decimal(0);

  private constructor(client: ApiClient, accountId: string) {
    this.#client = client;
    this.accountId = accountId;
  }

  /** Finds or opens the account. */
  static async open(client: ApiClient): Promise<Bank> {
    const there = await client.all<{ id: string; iban: string }>('/api/config/bank-accounts');
    const known = there.find(({ iban }) => iban === IBAN);
    const { id } =
      known ??
      (await client.create<{ id: string }>(
        '/api/config/bank-accounts',
        { name: 'Cuenta corriente', iban: IBAN },
        'demo-bank',
      ));
    return new Bank(client, id);
  }

  /** Imports a month's movements, and accepts what explains them. */
  async statement(movements: readonly Movement[]): Promise<Matched> {
    const sorted = [...movements].sort(byDate);
    const rows = sorted.map(({ date, text, amount }) => {
      this.#balance = sum([this.#balance, amount]);
      return [date, text, comma(amount), comma(toNumber(this.#balance.toFixed()))].join(';');
    });
    const csv = ['Fecha;Concepto;Importe;Saldo', ...rows].join('\n');
    const imported = await this.#client.upload(
      `/api/bank-statements?bank_account_id=${this.accountId}`,
      csv,
      'text/csv',
    );
    const [{ id }] = (imported.data as { statements: [{ id: string }] }).statements;
    const open = await this.#client.all<SuggestedLine>(`/api/bank-statements/${id}/suggestions`);
    const explained = new Map(sorted.map((movement) => [movement.text, movement]));
    const lines = open.flatMap((line) => acceptance(line, explained.get(line.text ?? '')));
    const answer = await this.#client.post('/api/bank-statements/accept', { lines, partial: true });
    return { lines: sorted.length, accepted: (answer.data as { accepted: unknown[] }).accepted.length };
  }
}

function acceptance({ id, suggestions }: SuggestedLine, movement: Movement | undefined): Json[] {
  if (movement?.paymentId !== undefined) return [{ line_id: id, payment_id: movement.paymentId }];
  if (movement?.accountCode !== undefined)
    return [{ line_id: id, account_code: movement.accountCode, text: movement.text }];
  return (suggestions[0]?.score ?? 0) >= 75 ? [{ line_id: id, suggestion: true }] : [];
}

function comma(amount: number): string {
  return amount.toFixed(2).replace('.', ',');
}
