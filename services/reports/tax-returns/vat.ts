/** VAT of a period by kind and rate, as declared by posted entries (decision 0173). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { VAT_KINDS, vatRows, vatSummary } from '../../../domain/ledger/tax-returns/vat.ts';
import type { Decimal } from '../../../domain/money.ts';
import { ENTRIES_PARTNER } from '../../ledger/accounting/partner-entries.ts';
import { readPartnerTaxes, readTaxTotals, readUndeclared } from '../../ledger/tax-returns/taxes.ts';
import { amount, choice, flag, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent, RANGE } from '../engine/declaration.ts';
import { taxedEntriesPath } from './box-sources.ts';

const ROW = Type.Object({
  kind: choice(VAT_KINDS, {
    description: 'Charged, or borne; pendiente: of the cash basis, by its invoices, before it accrues',
  }),
  tax_group_id: nullable(uuid()),
  code: nullable(text()),
  name: nullable(text()),
  rate: percent(),
  regime: text({ description: 'The operation: domestic, surcharge, intra_eu_goods, export, exempt …' }),
  use: nullable(
    choice(['current', 'investment', 'none'], { description: 'For input VAT; none: lost tax, part of the cost' }),
  ),
  rectifying: flag(),
  base: amount(),
  amount: amount(),
  surcharge: amount({ description: 'Equivalence surcharge' }),
  drilldown: text({ max: 500 }),
});

const TOTAL = Type.Object({
  kind: text(),
  base: nullable(amount()),
  amount: amount(),
  surcharge: nullable(amount()),
});

const side = () => Type.Object({ base: amount(), amount: amount(), surcharge: amount() });

export const vatReport = defineReport({
  name: 'vat',
  title: { en: 'VAT', es: 'IVA' },
  description:
    'VAT charged (repercutido) and borne (soportado) by tax, rate and operation, from the lines of posted entries that say what ' +
    'tax they are of.',
  area: 'accounting',
  parameters: {
    ...RANGE,
    ...ENTRIES_PARTNER,
  },
  data: Type.Object({
    rows: Type.Array(ROW),
    undeclared: Type.Object(
      { output: amount(), input: amount() },
      { description: 'Entered on 477 and 472 by lines that do not say what tax they are of, beside settlements' },
    ),
  }),
  summary: Type.Object({
    repercutido: side(),
    soportado: side(),
    not_deductible: side(),
    balance: amount({ description: 'Charged with surcharge, less what is deducted' }),
  }),
  consistent: true,
  async read({ reader, ctx, params: { partner_id: partner }, range, money }) {
    const { totals, undeclared } =
      partner === undefined
        ? {
            totals: await readTaxTotals(reader, ctx.tenantId, range),
            undeclared: await readUndeclared(reader, ctx.tenantId, range),
          }
        : await readPartnerTaxes(reader, range, partner);
    const taxes = await readTaxes(
      reader,
      totals.flatMap(({ groupId }) => groupId ?? []),
    );
    const rows = vatRows(totals);
    const { repercutido, soportado, notDeductible, balance } = vatSummary(rows);
    const shown = (of: typeof repercutido) => ({
      base: money(of.base),
      amount: money(of.amount),
      surcharge: money(of.surcharge),
    });
    return {
      data: {
        rows: rows.map((row) => {
          const tax = row.groupId === null ? undefined : taxes.get(row.groupId);
          return {
            kind: row.kind,
            tax_group_id: row.groupId,
            code: tax?.code ?? null,
            name: tax?.name ?? null,
            rate: Number(row.rate),
            regime: row.operation,
            use: row.use,
            rectifying: row.rectifying,
            ...shown(row),
            drilldown: taxedEntriesPath(row, range),
          };
        }),
        undeclared: { output: money(undeclared.output), input: money(undeclared.input) },
      },
      summary: {
        repercutido: shown(repercutido),
        soportado: shown(soportado),
        not_deductible: shown(notDeductible),
        balance: money(balance),
      },
    };
  },
  // The sum of VAT charged and VAT borne would be meaningless.
  file: ({ data, summary: { repercutido, soportado, not_deductible, balance } }) => ({
    tables: [
      { row: ROW, rows: data.rows },
      {
        title: { en: 'Summary', es: 'Resumen' },
        row: TOTAL,
        rows: [
          { kind: 'repercutido', ...repercutido },
          { kind: 'soportado', ...soportado },
          { kind: 'not_deductible', ...not_deductible },
          { kind: 'balance', base: null, amount: balance, surcharge: null },
        ],
      },
    ],
  }),
});

async function readTaxes(reader: Reader, ids: readonly string[]) {
  const rows = await query<{ id: string; code: string; name: string; rate: Decimal }>(
    reader,
    'select id, code, name from taxes where id = any(:ids::uuid[])',
    { ids: [...new Set(ids)] },
  );
  return new Map(rows.map((row) => [row.id, row]));
}
