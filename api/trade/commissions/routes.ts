/** Settlements of commissions. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { CommissionSettlement } from '../../../db/models/trade/commissions.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { toNumber } from '../../../domain/money.ts';
import { COMMISSION_DUES } from '../../../domain/trade/commissions.ts';
import {
  choice,
  dataBody,
  day,
  instant,
  integer,
  label,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import {
  findSettlement,
  permissionToPay,
  settleCommissions,
  undoSettlement,
} from '../../../services/trade/commissions/settle.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Salespeople';
const COLLECTION = '/api/commission-settlements';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });

const DUE = choice(COMMISSION_DUES, {
  description: 'invoiced, the default: all lines that are invoiced; paid: only those of invoices that are paid',
});

const Settlement = Type.Object(
  {
    id: uuid(),
    code: Type.String(),
    date: day(),
    salespersonId: uuid(),
    upTo: day({ description: 'Last day of the lines that it settles' }),
    due: DUE,
    lines: integer({ description: 'Number of lines that it settles' }),
    base: Type.Number({ description: 'Sum of what the commissions are a percentage of' }),
    total: Type.Number({ description: 'Sum of the commissions' }),
    documentId: nullable(uuid({ description: "The draft of the agent's invoice" })),
    payItemId: nullable(uuid({ description: 'What the employee gets with the pay of the month' })),
    createdBy: nullable(uuid()),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'CommissionSettlement' },
);

const SettlementBody = Type.Object(
  {
    salespersonId: uuid(),
    upTo: Type.Optional(day({ description: 'Last day of the lines; defaults to today' })),
    due: Type.Optional(DUE),
    description: Type.Optional(label({ description: "Text of the invoice's line, or on the payslip" })),
  },
  { additionalProperties: false },
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', searchable: true },
    date: { type: 'date', notNull: true },
    salespersonId: { type: 'uuid' },
    upTo: { type: 'date' },
    due: { type: 'choice', choices: COMMISSION_DUES },
    lines: { type: 'integer' },
    base: { type: 'number' },
    total: { type: 'number' },
    documentId: { type: 'uuid' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-date',
};

function toJson(row: CommissionSettlement) {
  const { tenantId: _, base, total, ...shown } = row;
  return { ...shown, base: toNumber(base), total: toNumber(total) };
}

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'commissions:read',
    path: COLLECTION,
    id: 'listCommissionSettlements',
    summary: 'Settlements of commissions, newest first',
    list,
    row: Settlement,
    rows: () => ({
      from: 'commission_settlements',
      toJson: (row: JsonRow) => toJson(fromRow(CommissionSettlement, row)),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'commissions:create',
    method: 'POST',
    path: COLLECTION,
    id: 'settleCommissions',
    summary: 'Settle what a salesperson is owed',
    description:
      'Takes all lines up to a day that were not settled. For an agent with a supplier (partnerId), it makes the draft of their invoice; ' +
      'for an employee, an item of the pay of this month. Needs the permission for these too.',
    problems: ['forbidden', 'nothing_open', 'invalid_transition', 'period_closed', 'not_found'],
    body: SettlementBody,
    responses: { 201: dataBody(Settlement) },
    async handler({ db, ctx, caller, body }) {
      const needed = await permissionToPay(db, body.salespersonId);
      if (needed !== null) assertPermission(caller, needed);
      const settlement = await settleCommissions(db, ctx, body);
      return created(`${COLLECTION}/${settlement.id}`, toJson(settlement));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'commissions:read',
    method: 'GET',
    path: ONE,
    id: 'getCommissionSettlement',
    summary: 'One settlement of commissions',
    description: 'Its lines are in the report commission-lines.',
    params: Id,
    responses: { 200: dataBody(Settlement) },
    handler: async ({ reader, params }) => ok(toJson(await findSettlement(reader, params.id))),
  }),
  defineRoute({
    tag: TAG,
    access: 'commissions:delete',
    method: 'DELETE',
    path: ONE,
    id: 'undoCommissionSettlement',
    summary: 'Undo a settlement',
    description:
      "Its lines can be settled again. The draft of the agent's invoice and the pay item are deleted with it.",
    problems: ['invalid_transition'],
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, caller, params, ifMatch }) {
      const { salespersonId } = await findSettlement(db, params.id);
      const needed = await permissionToPay(db, salespersonId);
      if (needed !== null) assertPermission(caller, needed);
      await undoSettlement(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
];
