/** Output for retail days: the figures of the file, those of the service, and the difference. */
import { type Decimal, decimal } from '../domain/money.ts';
import { correctedUnits } from './correct.ts';
import { type Output, table } from './report.ts';
import type { Posted, RetailReport } from './run-retail.ts';

/** Prints the tables of the days, and the command that checks the rest. */
export function printRetail(reports: readonly RetailReport[], output: Output): void {
  const print = (title: string, head: readonly string[], toRow: (report: RetailReport) => (string | number)[]) => {
    const rows = reports.map((report) => [report.day.date, ...toRow(report)]);
    output.write(`\n${title}\n${table([['day', ...head], ...rows])}\n`);
  };
  print(
    'Sold (net, as in the file):',
    ['invoices', 'posted', 'made now', 'goods in', ...COMPARED],
    ({ day, sales, goodsNotes }) => [
      day.invoices.length,
      sales.documents,
      sales.made,
      goodsNotes,
      ...compared(day.total, sales),
    ],
  );
  print(
    'Cancelled (rectifying invoices for sales of these days or before):',
    ['cancellations', 'posted', 'sold here', 'made now', ...COMPARED],
    ({ day, cancellations }) => [
      day.cancellations.length,
      cancellations.documents,
      cancellations.withInvoice,
      cancellations.made,
      ...compared(day.cancelled, cancellations),
    ],
  );
  print(
    'Stock corrected (units found and missing, one adjustment a day):',
    ['corrections', 'adjustments', 'made now', 'file', 'service'],
    ({ day, corrections: { adjustmentId, made, units } }) => [
      day.corrections.length,
      adjustmentId === undefined ? 0 : 1,
      made ? 1 : 0,
      correctedUnits(day),
      units,
    ],
  );
  print('In all:', ['lines', 'seconds'], ({ day, seconds }) => [day.lines, seconds.toFixed(1)]);
  for (const line of reports.flatMap(({ split }) => split)) output.write(`Split, above 1,000 lines: ${line}\n`);
  output.write('\nTo check the invariants of all data (totals, stock, numbers, isolation): npm run verify\n');
}

const COMPARED = ['file', 'service', 'difference'];

function compared(file: Decimal, { total }: Posted): string[] {
  return [decimal(file).toFixed(2), decimal(total).toFixed(2), decimal(total).minus(file).toFixed(2)];
}
