/** The page that a customer's link opens: what is open, where to pay, what they were charged and have paid. A GET only shows. */
import { type Static, Type } from 'typebox';
import { CustomerLink } from '../../../db/models/trade/customer-links.ts';
import { patchRow } from '../../../db/write.ts';
import { epcPayload } from '../../../domain/bank/sepa/epc-qr.ts';
import { yearEarlier } from '../../../domain/days.ts';
import { notFound } from '../../../domain/errors.ts';
import { escapedHtml } from '../../../domain/html.ts';
import { type Formats, formatsFor } from '../../../domain/locale/formats.ts';
import { decimal } from '../../../domain/money.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { loadSettings } from '../../../services/platform/settings/settings.ts';
import { binary, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { readStatement, type Statement } from '../../../services/reports/payments/statement.ts';
import {
  type AccountDocument,
  type CustomerAccount,
  customerAccount,
  isOwed,
  isOwnDocument,
  owed,
} from '../../../services/trade/customers/account.ts';
import {
  assertCurrent,
  assertSigned,
  CUSTOMER_PATH,
  customerQuery,
  type LinkedCustomer,
} from '../../../services/trade/customers/link.ts';
import { drawnQr } from '../../../services/trade/pdf/qr.ts';
import { smallPage } from '../../messages/page.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { documentFile } from '../documents/pdf.ts';

/** Actor in the audit log: the link identifies the customer, but not the person who followed it. */
const ACTOR = 'customer_link';

const Link = {
  company: uuid({ description: 'From the link' }),
  customer: uuid({ description: 'From the link' }),
  nonce: text({ max: 100, description: 'From the link' }),
  signature: text({ max: 100, description: 'From the link' }),
};
type Linked = Static<ReturnType<typeof Type.Object<typeof Link>>>;

const shared = { tag: 'Partners', access: 'public', problems: ['not_found'], method: 'GET' } as const;

export const pageRoutes: Route[] = [
  defineRoute({
    ...shared,
    path: CUSTOMER_PATH,
    id: 'customerPage',
    summary: 'The page that the link of a customer opens',
    description: 'Open documents with their PDFs, what to pay and where, and the statement of the last twelve months.',
    query: Type.Object(Link),
    transaction: 'none',
    responses: { 200: binary('text/html') },
    handler: async ({ query, deps, requestId }) => await page(deps, await opened(deps, query, requestId)),
  }),
  defineRoute({
    ...shared,
    path: `${CUSTOMER_PATH}/pdf`,
    id: 'customerDocumentPdf',
    summary: 'The PDF of a document, by the link of its customer',
    description: 'Only of documents of sales that were issued to this customer.',
    query: Type.Object({ ...Link, document: uuid({ description: 'One of their documents' }) }),
    responses: { 200: binary('application/pdf') },
    async handler({ query, deps }) {
      const link = checked(deps, query);
      const docType = await deps.database.readTenant(link, async (db) => {
        await assertCurrent(db, link, deps.now());
        return await isOwnDocument(db, link.partnerId, query.document);
      });
      if (docType === null) throw notFound('The document');
      return await documentFile(deps, { tenantId: link.tenantId, documentId: query.document, docType });
    },
  }),
];

/** @throws ServiceError not_found for a link that the service did not create */
function checked({ config }: Deps, { company, customer, nonce, signature }: Linked): LinkedCustomer {
  const link = { tenantId: company, partnerId: customer, nonce };
  assertSigned(configuredKeys(config), link, signature);
  return link;
}

/** Checks a link, and notes on which day it was opened. */
async function opened(deps: Deps, query: Linked, requestId: string): Promise<LinkedCustomer> {
  const link = checked(deps, query);
  const now = deps.now();
  const stored = await deps.database.readTenant(link, (db) => assertCurrent(db, link, now));
  const day = now.toISOString().slice(0, 10);
  if (stored.lastOpenedAt?.slice(0, 10) === day) return link;
  const ctx = { tenantId: link.tenantId, userId: null, actor: ACTOR, requestId, now };
  await deps.database.withTenant(ctx, async (trx) => {
    const current = await assertCurrent(trx, link, now);
    await patchRow(trx, ctx, CustomerLink, current, { lastOpenedAt: now.toISOString() });
  });
  return link;
}

async function page(deps: Deps, link: LinkedCustomer) {
  const { account, statement, formats } = await deps.database.readTenant(link, async (db) => {
    const found = await customerAccount(db, { tenantId: link.tenantId, now: deps.now() }, link.partnerId);
    const range = { from: yearEarlier(found.today), to: found.today };
    return {
      account: found,
      statement: await readStatement(db, 'customer', link.partnerId, range, { newest: MAX_LINES }),
      formats: formatsFor(await loadSettings(db, 'format'), found.partner.language),
    };
  });
  const query = escapedHtml(customerQuery(configuredKeys(deps.config), link));
  const words = WORDS[formats.language];
  const open = account.invoices.filter(isOwed);
  const content = [
    `<p>${escapedHtml(account.company)}</p>`,
    sums(account, formats),
    section(words.open, documentTable(open, formats, query)),
    payment(open, account, formats),
    section(words.orders, documentTable(account.orders, formats, query)),
    section(
      words.settled,
      documentTable(
        account.invoices.filter((one) => !isOwed(one)),
        formats,
        query,
      ),
    ),
    statement === null ? '' : section(words.statement, statementTable(statement, formats)),
  ];
  return smallPage({
    language: formats.language,
    title: account.partner.name,
    content: content.join('\n'),
    wide: true,
  });
}

function section(title: string, content: string): string {
  return content === '' ? '' : `<h2>${title}</h2>\n${content}`;
}

function sums(customer: CustomerAccount, formats: Formats): string {
  const { outstanding, credit, currency } = customer;
  const words = WORDS[formats.language];
  const most = owed(customer);
  const overdue = decimal(customer.overdue).gt(most) ? most : customer.overdue;
  const shown = (name: string, value: string) => `<p>${name}: <strong>${escapedHtml(value)}</strong></p>`;
  return [
    shown(words.outstanding, formats.money(outstanding, currency)),
    shown(words.overdue, formats.money(overdue, currency)),
    ...(decimal(credit).gt(0) ? [shown(words.credit, formats.money(credit, currency))] : []),
  ].join('\n');
}

function documentTable(documents: readonly AccountDocument[], formats: Formats, query: string): string {
  if (documents.length === 0) return '';
  const words = WORDS[formats.language];
  const rows = documents.map((one) => {
    const due = one.dueDate === null ? '' : formats.day(one.dueDate);
    return tableRow([
      `<a href="${CUSTOMER_PATH}/pdf?${query}&amp;document=${one.id}">${escapedHtml(one.code)}</a>`,
      formats.day(one.date),
      one.overdue ? `<strong>${due}</strong>` : due,
      formats.money(one.total, one.currency),
      one.docType === 'SINV' ? formats.money(one.outstanding, one.currency) : '',
    ]);
  });
  return table([words.document, words.date, words.due, words.total, words.outstanding], rows);
}

/** Where to pay, with a QR code for each open invoice in EUR; nothing if what they paid is enough. */
function payment(open: readonly AccountDocument[], customer: CustomerAccount, formats: Formats): string {
  const { bank, company } = customer;
  if (bank === null || open.length === 0 || decimal(owed(customer)).eq(0)) return '';
  const words = WORDS[formats.language];
  const account = `<p>${words.payTo} <strong>${escapedHtml(bank.iban.replace(/.{4}(?=.)/g, '$& '))}</strong>${
    bank.bic === null ? '' : ` · ${escapedHtml(bank.bic)}`
  }</p>`;
  const codes = open.filter(({ currency }) => currency === 'EUR').slice(0, MAX_CODES);
  const drawn = codes.flatMap(({ code, outstanding, currency }) => {
    const order = { name: company, iban: bank.iban, bic: bank.bic, amount: outstanding, text: code };
    const payload = epcPayload(order);
    if (payload === null) return [];
    const { size, path } = drawnQr(payload);
    const caption = `${escapedHtml(code)} · ${escapedHtml(formats.money(outstanding, currency))}`;
    const label = `${words.qr} ${escapedHtml(code)}`;
    return [
      `<figure><svg role="img" aria-label="${label}" width="132" height="132" viewBox="-4 -4 ${size + 8} ${size + 8}"><path fill="#fff"
d="M-4 -4h${size + 8}v${size + 8}h-${size + 8}z"/><path d="${path}"/></svg><figcaption>${caption}</figcaption></figure>`,
    ];
  });
  return `${section(words.pay, account)}\n<div class="codes">${drawn.join('\n')}</div>`;
}

/** Most lines of the statement on a page: the newest. */
const MAX_LINES = 500;
/** Most QR codes on a page. */
const MAX_CODES = 10;

function statementTable({ opening, lines }: Statement, formats: Formats): string {
  const words = WORDS[formats.language];
  const rows = lines.map(({ date, code, description, amount, balance }) =>
    tableRow([formats.day(date), escapedHtml(code ?? description), formats.amount(amount), formats.amount(balance)]),
  );
  const first = tableRow(['', words.before, '', formats.amount(opening)]);
  return table([words.date, words.text, words.amount, words.balance], [first, ...rows]);
}

function table(titles: readonly string[], rows: readonly string[]): string {
  const head = titles.map((title) => `<th scope="col">${title}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

/** @param cells HTML */
function tableRow(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

const WORDS = {
  en: {
    ...{ open: 'Open invoices', orders: 'Orders', settled: 'Settled invoices', statement: 'Statement of account' },
    ...{
      outstanding: 'Outstanding',
      overdue: 'Overdue',
      credit: 'Paid and not assigned to invoices yet',
      document: 'Document',
      date: 'Date',
      due: 'Due',
      total: 'Total',
    },
    ...{ pay: 'How to pay', payTo: 'By transfer to', qr: 'QR code to pay', before: 'Balance brought forward' },
    ...{ text: 'Text', amount: 'Amount', balance: 'Balance' },
  },
  es: {
    ...{ open: 'Facturas pendientes', orders: 'Pedidos', settled: 'Facturas pagadas', statement: 'Extracto de cuenta' },
    ...{
      outstanding: 'Pendiente',
      overdue: 'Vencido',
      credit: 'Pagado y aún sin asignar a facturas',
      document: 'Documento',
      date: 'Fecha',
      due: 'Vencimiento',
      total: 'Total',
    },
    ...{ pay: 'Cómo pagar', payTo: 'Por transferencia a', qr: 'Código QR para pagar', before: 'Saldo anterior' },
    ...{ text: 'Concepto', amount: 'Importe', balance: 'Saldo' },
  },
} as const;
