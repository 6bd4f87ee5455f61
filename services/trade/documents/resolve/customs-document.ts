/** Checks the customs document of an invoice of imported goods. */
import type { Faults } from '../../../../domain/faults.ts';
import { type CustomsDocument, sharesByRate } from '../../../../domain/ledger/accounting/customs.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { taxOperation } from '../../../../domain/trade/documents/operations.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { PreparedLine } from '../prepared.ts';
import type { CustomsDocumentInput } from '../schemas.ts';
import type { References, TaxReference } from './references.ts';

interface Invoice {
  readonly lines: readonly Pick<PreparedLine, 'itemId' | 'taxGroupId' | 'vatRegime'>[];
  /** In the company's currency, as customs and books have them. */
  readonly amounts: readonly Decimal[];
  readonly vatRegime: VatRegime;
  readonly rectifying: boolean;
}

/** Resolves a customs document; null for none, or with faults. */
export function resolveCustomsDocument(
  given: CustomsDocumentInput | undefined,
  invoice: Invoice,
  references: Pick<References, 'items' | 'taxes' | 'companyPlaces'>,
  faults: Faults,
): CustomsDocument | null {
  if (given === undefined) return null;
  const document = storedCustomsDocument(given);
  const at = '/customsDocument';
  const goods = importedGoods(invoice, references);
  if (goods.length === 0) {
    const message = 'is only for imported goods: a line with a product and the regime export';
    faults.add(at, 'not_applicable', message);
    return null;
  }
  const { rectifying } = invoice;
  const signed = (value: Decimal) => decimal(value).times(rectifying ? -1 : 1);
  const side = rectifying ? 'less than zero because a rectifying invoice takes back' : 'greater than zero';
  if (signed(document.base).lte(0)) faults.add(`${at}/base`, 'out_of_range', `must be ${side}`);
  else if (signed(document.vatAmount).lte(0)) faults.add(`${at}/vatAmount`, 'out_of_range', `must be ${side}`);
  else if (sharesByRate(document, goods, references.companyPlaces) === null) {
    const rates = [...new Set(goods.map(({ rate }) => decimal(rate).toFixed()))].sort().join(' and ');
    faults.add(`${at}/vatAmount`, 'out_of_range', `must be the VAT of the base, at ${rates} %`);
  }
  return document;
}

function importedGoods({ lines, amounts, vatRegime }: Invoice, { items, taxes }: Pick<References, 'items' | 'taxes'>) {
  return lines.flatMap((line, index) => {
    const tax = taxes.get(line.taxGroupId) as TaxReference;
    const isGoods = line.itemId !== null && items.get(line.itemId)?.type === 'product';
    const operation = taxOperation('purchase', tax, line.vatRegime ?? vatRegime, isGoods);
    return operation === 'import' ? [{ rate: tax.rate, amount: amounts[index] ?? '0' }] : [];
  });
}

/** The stored form of a customs document as sent. */
export function storedCustomsDocument({
  number,
  date,
  base,
  vatAmount,
  deferred,
}: CustomsDocumentInput): CustomsDocument {
  return {
    number,
    date,
    base: decimal(base).toFixed(),
    vatAmount: decimal(vatAmount).toFixed(),
    deferred: deferred ?? false,
  };
}
