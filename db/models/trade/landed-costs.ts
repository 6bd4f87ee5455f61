/** Costs of bringing goods in, such as freight and duty. */
import type { SpreadMethod } from '../../../domain/trade/stock/landed-cost.ts';
import { day, exact, instant, integer, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class LandedCost extends versionedTable('landed_costs', {
  code: text(),
  date: day(),
  periodId: uuid(),
  description: optional(text()),
  status: text<'posted' | 'cancelled'>(),
  total: exact(),
  createdBy: optional(uuid()),
  cancelledAt: optional(instant()),
}) {
  static override entityType = 'LandedCost';
  static override access = 'stock:read' as const;
}

export class LandedCostCharge extends table('landed_cost_charges', {
  landedCostId: uuid(),
  number: integer(),
  description: optional(text()),
  method: text<SpreadMethod>(),
  amount: exact(),
  /** The line of the purchase invoice that charges it. */
  documentLineId: optional(uuid()),
}) {}

export class LandedCostShare extends table('landed_cost_shares', {
  landedCostId: uuid(),
  documentLineId: uuid(),
  amount: exact(),
}) {}
