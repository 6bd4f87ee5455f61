/** Tracks the amounts that payments settle of the instalments they name. */
import type { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { openAmounts } from '../../../domain/trade/payments/terms.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { type Debt, isItem } from './debts.ts';
import type { LinkRow } from './payment.ts';

type NamedLink = Pick<LinkRow, 'documentId' | 'instalment' | 'settled'>;

/** Changes of the settled amounts of named instalments. */
export class NamedAmounts {
  readonly #amounts = new Map<string, Decimal>();

  /** @param sign 1 for a link that is made, -1 for one that is taken away */
  add({ documentId, instalment, settled }: NamedLink, sign: 1 | -1): void {
    if (instalment === null) return;
    const key = instalmentKey(documentId, instalment);
    this.#amounts.set(
      key,
      decimal(settled)
        .times(sign)
        .plus(this.#amounts.get(key) ?? '0')
        .toFixed(),
    );
  }

  /** A document's instalments, with the amounts that now name them. */
  named({ row, instalments }: LoadedDocument): LoadedDocument['instalments'] {
    return instalments.map((one) => {
      const more = this.#amounts.get(instalmentKey(row.id, one.number)) ?? '0';
      return { ...one, settled: decimal(one.settled).plus(more).toFixed() };
    });
  }
}

/** Instalments while the links of a payment are made, one after another. */
export class Instalments {
  readonly #amounts = new NamedAmounts();

  /** @param without links to ignore */
  constructor(without: readonly NamedLink[]) {
    for (const link of without) this.#amounts.add(link, -1);
  }

  add(link: NamedLink): void {
    this.#amounts.add(link, 1);
  }

  /**
   * Returns the open amount of an instalment; null if none is named, or the document is due at once. Adds faults with pointers.
   * @param settledBefore settled amount of the document
   */
  openAmount(
    document: Debt,
    number: number | null,
    settledBefore: Decimal,
    { at, faults }: { readonly at: string; readonly faults: Faults },
  ): Decimal | null {
    const parts = isItem(document) ? [] : this.#amounts.named(document);
    const count = Math.max(parts.length, 1);
    if (number !== null && number > count)
      faults.add(`${at}/instalment`, 'invalid_reference', `must be an instalment of the document, which has ${count}`);
    if (number === null || parts.length === 0) return null;
    return openAmounts(parts, settledBefore)[number - 1] ?? null;
  }
}

function instalmentKey(documentId: string, instalment: number): string {
  return `${documentId} ${instalment}`;
}
