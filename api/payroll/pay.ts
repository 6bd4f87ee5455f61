/** Payments of payrolls, and the order of their transfers. */
import { Type } from 'typebox';
import { toNumber } from '../../domain/money.ts';
import { payPayrolls } from '../../services/payroll/pay.ts';
import { PayrollPaymentBody, PayrollTransfersBody } from '../../services/payroll/schemas.ts';
import { orderSalaries } from '../../services/payroll/transfers.ts';
import { amount, dataOf, uuid } from '../../services/validation/schemas.ts';
import { Order } from '../bank/sepa.ts';
import { created, ok } from '../respond.ts';
import { compared, defineRoute, type Route } from '../route.ts';

const TAG = 'Payroll';
const PATH = '/api/payrolls';

const Paid = compared(
  Type.Array(
    Type.Object(
      {
        payrollId: uuid({ description: 'The payroll' }),
        paymentId: uuid({ description: 'What paid it' }),
        amount: amount({ places: 2, description: 'What was paid' }),
      },
      { title: 'PaidPayroll' },
    ),
  ),
);

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${PATH}/pay`,
    id: 'payPayrolls',
    summary: 'Pay posted payrolls',
    description: `All of them or none: a payment issued for each, by transfer, to the partner who stands for all employees. It names none.
Deleting such a payment (\`DELETE /api/payments/out/:id\`), or registering that it came back, leaves the payroll to be paid again.`,
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'period_closed'],
    body: PayrollPaymentBody,
    responses: { 200: dataOf(Paid) },
    async handler({ db, ctx, body }) {
      const paid = await payPayrolls(db, ctx, body);
      return ok(
        paid.map(({ payrollId, payment: { id, amount: of } }) => ({ payrollId, paymentId: id, amount: toNumber(of) })),
      );
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/sepa`,
    id: 'orderSalaries',
    summary: 'Create a SEPA order of the transfers of paid payrolls',
    description: `Creates a file (pain.001, purpose SALA) for the bank with names and IBANs as the payrolls have them. A payroll is ordered
once, unless \`repeat\` is true or its payment came back. The order is among those of payments; its file needs \`payroll:read\`.`,
    tag: TAG,
    access: 'payroll:update',
    problems: ['duplicate'],
    body: PayrollTransfersBody,
    responses: { 201: dataOf(Order) },
    async handler({ db, ctx, body }) {
      const data = await orderSalaries(db, ctx, body);
      return created(`/api/payments/sepa/orders/${data.id}`, data);
    },
  }),
];
