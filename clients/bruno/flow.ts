/** The guide's way from an empty service to money that came back, as requests in a row. */

/** A request whose answer gives variables to those after it. */
export interface Step {
  readonly name: string;
  readonly method: 'get' | 'post' | 'patch';
  /** May have variables, as its body may: `{{invoice}}`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Variables, and where the answer has their values. */
  readonly keep?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Members of the answer that must be equal to values. */
  readonly expect?: Readonly<Record<string, string | number>>;
  readonly docs: string;
}

/** The first sets an empty service up; the second logs in where that was done before. */
export const FLOW: readonly Step[] = [
  {
    name: 'Set up the company',
    method: 'post',
    path: '/api/setup/init',
    body: {
      company: { name: 'Frutas García', taxId: 'B12345674', country: 'ES' },
      admin: { email: '{{email}}', name: 'Olga', password: '{{password}}' },
    },
    status: 201,
    keep: { token: 'token' },
    docs: 'Once only: a service that is set up refuses it with 409. Log in then.',
  },
  {
    name: 'Log in',
    method: 'post',
    path: '/api/auth/login',
    body: { email: '{{email}}', password: '{{password}}' },
    status: 200,
    keep: { token: 'token' },
    docs: 'Other requests of this collection do it by themselves when their token has ended.',
  },
  {
    name: 'Find the unit',
    method: 'get',
    path: '/api/uom',
    query: { code: 'KG' },
    status: 200,
    keep: { unit: 'data[0].id' },
    docs: 'A new company has units, taxes, groups of partners, a warehouse, number series, periods and accounts.',
  },
  {
    name: 'Find the group of customers',
    method: 'get',
    path: '/api/partnerGroups',
    query: { isCustomer: 'true' },
    status: 200,
    keep: { customers: 'data[0].id' },
    docs: 'A partner is a customer or a supplier by its group.',
  },
  {
    name: 'Find the group of suppliers',
    method: 'get',
    path: '/api/partnerGroups',
    query: { isVendor: 'true' },
    status: 200,
    keep: { suppliers: 'data[0].id' },
    docs: 'Both groups are there from the beginning.',
  },
  {
    name: 'Create something to sell',
    method: 'post',
    path: '/api/items',
    body: { name: 'Oranges', uomId: '{{unit}}', salePrice: 2.5 },
    status: 201,
    keep: { item: 'data.id' },
    docs: 'A product has stock. Its code is given by the service, unless you send one.',
  },
  {
    name: 'Create a customer',
    method: 'post',
    path: '/api/partners',
    body: { name: 'Bar Central', groupId: '{{customers}}' },
    status: 201,
    keep: { customer: 'data.id' },
    docs: 'Without a tax id, as here, they get simplified invoices.',
  },
  {
    name: 'Create a supplier',
    method: 'post',
    path: '/api/partners',
    body: { name: 'Citrus Farm', groupId: '{{suppliers}}' },
    status: 201,
    keep: { supplier: 'data.id' },
    docs: 'They bring what is sold below.',
  },
  {
    name: 'Receive goods',
    method: 'post',
    path: '/api/purchases/delivery-notes',
    body: { partnerId: '{{supplier}}', lines: [{ itemId: '{{item}}', quantity: 100, price: 1.2 }] },
    status: 201,
    expect: { 'data.status': 'O' },
    docs: 'A hundred kilos are in stock then.',
  },
  {
    name: 'Order',
    method: 'post',
    path: '/api/sales',
    body: { partnerId: '{{customer}}', lines: [{ itemId: '{{item}}', quantity: 12 }] },
    status: 201,
    keep: { order: 'data.id' },
    docs: 'The checkout of a shop. Prices and taxes come from the item, if they are not sent.',
  },
  {
    name: 'Deliver the order',
    method: 'post',
    path: '/api/sales/{{order}}/deliver',
    status: 201,
    keep: { note: 'data.id' },
    docs: 'Takes the goods out of stock: all that are open, or the lines that you send.',
  },
  {
    name: 'Invoice the delivery note',
    method: 'post',
    path: '/api/sales/delivery-notes/{{note}}/invoice',
    status: 201,
    keep: { invoice: 'data.id' },
    docs: 'A draft, which can still be changed.',
  },
  {
    name: 'Post the invoice',
    method: 'post',
    path: '/api/sales/invoices/{{invoice}}/post',
    status: 200,
    keep: { today: 'data.date' },
    expect: { 'data.total': 36.3 },
    docs: 'Numbers it, and enters it in the ledger.',
  },
  {
    name: 'Receive the payment',
    method: 'post',
    path: '/api/payments/in',
    body: {
      partner_id: '{{customer}}',
      amount: 36.3,
      payment_date: '{{today}}',
      payment_method: 'transfer',
      linked_documents: [{ document_type: 'sales_invoice', document_id: '{{invoice}}' }],
    },
    status: 201,
    docs: 'Names what it pays. With auto_reconcile the service looks for it.',
  },
  {
    name: 'See that it is paid',
    method: 'get',
    path: '/api/sales/invoices/{{invoice}}',
    status: 200,
    expect: { 'data.paymentStatus': 'paid', 'data.status': 'C' },
    docs: 'A paid invoice is closed.',
  },
  {
    name: 'Take the invoice back',
    method: 'post',
    path: '/api/sales/invoices/{{invoice}}/rectify',
    body: { reason: 'Damaged' },
    status: 201,
    keep: { credit: 'data.id' },
    docs: 'A draft that rectifies all of it; send lines for a part.',
  },
  {
    name: 'Post the rectifying invoice',
    method: 'post',
    path: '/api/sales/invoices/{{credit}}/post',
    status: 200,
    expect: { 'data.total': -36.3 },
    docs: 'The customer is owed the money then.',
  },
  {
    name: 'Pay the money back',
    method: 'post',
    path: '/api/payments/out',
    body: {
      partner_id: '{{customer}}',
      amount: 36.3,
      payment_date: '{{today}}',
      payment_method: 'transfer',
      linked_documents: [{ document_type: 'sales_invoice', document_id: '{{credit}}' }],
    },
    status: 201,
    docs: 'A payment issued settles what a rectifying invoice owes.',
  },
];
