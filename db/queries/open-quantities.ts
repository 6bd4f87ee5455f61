/** SQL of what is open of lines. */

/** The open quantity of a line of an order or quotation, in its item's own unit. @param line alias of document_lines */
export function openBaseQuantity(line: string): string {
  return `round(greatest(0, ${line}.quantity - ${line}.delivered_quantity - ${line}.invoiced_quantity - ${line}.closed_quantity)
    * ${line}.base_quantity / ${line}.quantity, 6)`;
}
