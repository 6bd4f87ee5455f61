/** Turns a supplier's invoice into the input of a draft, line by line, so that each keeps its amount. */
import { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import type { ReceivedInvoice, ReceivedLine } from '../../../../domain/trade/einvoice/received/received.ts';
import type { DocumentInput } from '../../documents/schemas.ts';
import { type Matched, taxFor } from './match.ts';

/** Decimals that prices of documents have. */
const PRICE_PLACES = 6;

export interface Places {
  readonly amounts: number;
  readonly quantities: number;
}

/**
 * Builds the input.
 * @throws ServiceError validation_failed naming taxes that the company does not have, by the lines of the file
 */
export function draftInput(
  invoice: ReceivedInvoice,
  partnerId: string,
  matched: Matched,
  places: Places,
): DocumentInput {
  const faults = new Faults();
  const lines = invoice.lines.map((line, index) => draftLine(line, `/lines/${index}`, { matched, places, faults }));
  faults.throwIfAny();
  const { dueDate, date, operationDate, reference, notes, withholdingRate } = invoice;
  return {
    partnerId,
    supplierReference: invoice.number,
    documentDate: date,
    ...(operationDate === null || operationDate === date ? {} : { operationDate }),
    ...(dueDate === null || dueDate < date ? {} : { dueDate }),
    ...(reference === null ? {} : { reference: reference.slice(0, 200) }),
    ...(notes === null ? {} : { notes }),
    ...(decimal(withholdingRate).eq(0) ? {} : { withholdingRate: Number(withholdingRate) }),
    lines,
  } as DocumentInput;
}

interface Known {
  readonly matched: Matched;
  readonly places: Places;
  readonly faults: Faults;
}

function draftLine(line: ReceivedLine, pointer: string, { matched, places, faults }: Known) {
  const itemId = matched.item(line);
  const taxGroupId = taxFor(line, matched.taxes);
  if (taxGroupId === undefined) {
    const kind = line.treatment === 'taxed' ? `at ${line.taxRate} %` : `of the kind ${line.treatment} at 0 %`;
    faults.add(`${pointer}/taxRate`, 'unknown_tax', `needs a tax ${kind} that is valid on its day: POST /api/taxes`);
  }
  return {
    description: line.description,
    ...(itemId === undefined ? {} : { itemId }),
    ...(taxGroupId ? { taxGroupId } : {}),
    ...(line.treatment === 'intra_eu' || line.treatment === 'reverse_charge' ? { vatRegime: line.treatment } : {}),
    ...(line.withholdingRate ? { withholdingRate: Number(line.withholdingRate) } : {}),
    ...priced(line, places),
  };
}

/** Quantity, price and discount as written if they make the amount; otherwise a price that does, in the last resort of one piece. */
function priced({ quantity, price, discountPercent, amount }: ReceivedLine, { amounts, quantities }: Places) {
  const sign = decimal(quantity).lt(0) ? -1 : 1;
  const [pieces, each] = [decimal(quantity).times(sign), decimal(price).times(sign)];
  const fits = pieces.gt(0) && pieces.round(quantities).eq(pieces);
  const makes = (one: Decimal, percent: Decimal) =>
    decimal(round(pieces.times(one).times(decimal(100).minus(percent)).div(100), amounts)).eq(amount);
  const written = each.round(PRICE_PLACES).toFixed();
  if (fits && makes(written, discountPercent))
    return { quantity: Number(pieces), price: Number(written), discountPercent: Number(discountPercent) };
  const made = fits ? decimal(amount).div(pieces).round(PRICE_PLACES).toFixed() : '0';
  if (fits && makes(made, '0')) return { quantity: Number(pieces), price: Number(made), discountPercent: 0 };
  return { quantity: 1, price: Number(amount), discountPercent: 0 };
}
