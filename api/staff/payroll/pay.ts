/** Routes that pay payrolls and order the transfers. */
import { Type } from 'typebox';
import { toNumber } from '../../../domain/money.ts';
import { amount, dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { payPayrolls } from '../../../services/staff/payroll/pay.ts';
import { PayrollPaymentBody, PayrollTransfersBody } from '../../../services/staff/payroll/schemas.ts';
import { orderSalaries } from '../../../services/staff/payroll/transfers.ts';
import { Order } from '../../bank/sepa/routes.ts';
import { created, ok } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

const TAG = 'Payroll';
const PATH = '/api/payrolls';

const Paid = compared(
  Type.Array(
    Type.Object(
      {
        payrollId: uuid({ description: 'The payroll' }),
        paymentId: uuid({ description: 'The payment' }),
        amount: amount({ places: 2, description: 'The amount paid' }),
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
    description: `All or none: creates an outgoing payment by transfer for each, to the partner that represents all employees, naming none.
Deleting such a payment (\`DELETE /api/payments/out/:id\`), or registering its return, makes the payroll payable again.`,
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'period_closed'],
    body: PayrollPaymentBody,
    responses: { 200: dataBody(Paid) },
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
    description: `Creates a file (pain.001, purpose SALA) for the bank with the names and IBANs of the payrolls. A payroll can be
ordered only once, unless \`repeat\` is true or its payment was returned. The order is listed with those of payments; its file requires
\`payroll:read\`.`,
    tag: TAG,
    access: 'payroll:update',
    problems: ['duplicate'],
    body: PayrollTransfersBody,
    responses: { 201: dataBody(Order) },
    async handler({ db, ctx, body }) {
      const data = await orderSalaries(db, ctx, body);
      return created(`/api/payments/sepa/orders/${data.id}`, data);
    },
  }),
];
