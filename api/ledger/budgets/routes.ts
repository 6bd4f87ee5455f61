/** Routes that fill budgets. */
import { Type } from 'typebox';
import { Budget, BudgetLine } from '../../../db/models/ledger/budgets.ts';
import { decimal } from '../../../domain/money.ts';
import { copyBudget, fillBudget, spreadAmount } from '../../../services/ledger/budgets/fill.ts';
import { amount, dataBody, integer, label, nullable, uuid } from '../../../services/platform/validation/schemas.ts';
import { assertAccounts, BUDGET_ACCOUNT, budgetLines } from '../../../services/records/master-data/budget-lines.ts';
import { budgets } from '../../../services/records/master-data/budgets.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const one = { tag: budgets.tag, params: Type.Object({ id: uuid() }) } as const;
const closed = { additionalProperties: false };
const YEAR = integer({
  minimum: 1900,
  maximum: 9998,
  description: 'The calendar year in which the fiscal year begins',
});

export const routes: Route[] = [
  defineRoute({
    ...one,
    method: 'POST',
    path: '/api/budgets/:id/copy',
    id: 'copyBudget',
    summary: 'Copy a budget with its lines',
    description: 'The copy is a draft: a new version of the same fiscal year, or the beginning of another.',
    access: 'journal_entries:create',
    problems: ['duplicate'],
    body: Type.Object(
      {
        name: label(),
        fiscalYear: Type.Optional(YEAR),
        factor: Type.Optional(
          amount({ minimum: 0, maximum: 1000, description: 'Multiplies the amounts; 1 by default' }),
        ),
      },
      closed,
    ),
    responses: { 201: dataBody(answerSchema(budgets)) },
    async handler({ db, ctx, params, body }) {
      const budget = await copyBudget(db, ctx, params.id, body);
      return created(`/api/budgets/${budget.id}`, Budget.toJson({ ...budget }));
    },
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: '/api/budgets/:id/fill',
    id: 'fillBudget',
    summary: "Fill a budget from a year's ledger",
    description: 'Adds a line for all income and expense, by account, dimension and month. Lines that are there stay.',
    access: 'journal_entries:update',
    problems: ['invalid_transition'],
    body: Type.Object(
      {
        fiscalYear: Type.Optional(YEAR),
        percent: Type.Optional(
          amount({ places: 4, minimum: -100, maximum: 1000, description: 'Added to the amounts; 0 by default' }),
        ),
      },
      closed,
    ),
    responses: { 200: dataBody(answerSchema(budgets)) },
    async handler({ db, ctx, params, body }) {
      return ok(Budget.toJson({ ...(await fillBudget(db, ctx, params.id, body)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: '/api/budgets/:id/spread',
    id: 'spreadBudget',
    summary: 'Spread the amount of a year over its months',
    description: 'In equal parts. Lines of the same account and dimensions change, missing ones are made.',
    access: 'journal_entries:update',
    problems: ['invalid_transition'],
    body: Type.Object(
      {
        account: BUDGET_ACCOUNT,
        projectId: Type.Optional(nullable(uuid())),
        costCenterId: Type.Optional(nullable(uuid())),
        amount: amount({ description: "Of the year, in the company's currency" }),
      },
      closed,
    ),
    responses: { 200: dataBody(Type.Array(answerSchema(budgetLines))) },
    async handler({ db, ctx, params, body: { account, projectId = null, costCenterId = null, amount: total } }) {
      await assertAccounts(db, account);
      const position = { account, projectId, costCenterId };
      const lines = await spreadAmount(db, ctx, params.id, position, decimal(total).toFixed());
      return ok(lines.map((line) => BudgetLine.toJson({ ...line })));
    },
  }),
];
