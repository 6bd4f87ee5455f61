/** Loads candidates and suggests matches for several statement lines together. */
import type { Reader } from '../../../db/database.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { indexBy } from '../../../domain/bank/statements/index-by.ts';
import { PaidBook } from '../../../domain/bank/statements/paid-book.ts';
import { RuleBook } from '../../../domain/bank/statements/rules.ts';
import { suggest } from '../../../domain/bank/statements/suggest.ts';
import type {
  OpenInvoice,
  OpenPayment,
  SuggestedLine,
  Suggestion,
} from '../../../domain/bank/statements/suggestion.ts';
import { compact, lineTokens } from '../../../domain/bank/statements/words.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { accountCurrencies } from './line-currency.ts';
import { findOpenOrders } from './open-orders.ts';
import { findReturnCandidates, looksLikeReturn } from './returned.ts';
import { activeRules } from './rules/load.ts';

/** Maximum invoices considered per amount or partner, oldest first. */
const MAX_CANDIDATES = 60;
/** Maximum days between a payment's date and its booking by the bank. */
const MAX_DAYS_APART = 45;
/** Format of ids in orders to the bank. */
const COMPACT_ID = /^[0-9a-f]{32}$/;

/** Scans open invoices and open items once, whatever the number of lines; credits are negative. */
const INVOICES_SQL = `
  with open as (
    select d.id, d.doc_type, d.code, d.reference, d.supplier_reference, d.code_key, d.reference_key, d.supplier_key, d.date,
      d.total - d.paid_total as outstanding, d.currency, d.payment_terms_id, p.id as partner_id, p.name, p.iban,
      row_number() over (partition by d.doc_type, d.total - d.paid_total order by d.date, d.id) as of_amount,
      row_number() over (partition by d.doc_type, d.partner_id order by d.date, d.id) as of_partner,
      false as is_item
    from documents d join partners p on p.id = d.partner_id
    where d.doc_type in ('SINV', 'PINV') and d.status = ${STATE.open} and d.total <> d.paid_total
    union all select i.id, case i.direction when 'in' then 'SINV' else 'PINV' end, i.code, i.reference, null, i.code_key, i.reference_key,
      null, i.date, i.total - i.paid_total, i.currency, null, p.id, p.name, p.iban,
      row_number() over (partition by i.direction, i.total - i.paid_total order by i.date, i.id),
      row_number() over (partition by i.direction, i.partner_id order by i.date, i.id), true
    from open_items i join partners p on p.id = i.partner_id where i.total <> i.paid_total
  ), parts as (
    select distinct document_id from (
      select i.document_id, row_number() over (partition by i.outstanding order by i.due_date, i.id) as of_part
      from document_instalments i join documents d on d.id = i.document_id and d.status = ${STATE.open}
      where i.outstanding_key > 0 and i.outstanding = any(:amounts::numeric[])) i where of_part <= :most::integer
  )
  select id, doc_type as "docType", is_item as "isItem", code, reference, supplier_reference as "supplierReference", date,
    outstanding::text, currency,
    case when payment_terms_id is null then null else (select json_agg(json_build_object('number', i.number, 'outstanding',
      i.outstanding::text) order by i.number) from document_instalments i where i.document_id = open.id and i.outstanding_key > 0) end
      as instalments,
    json_build_object('id', partner_id, 'name', name, 'iban', iban) as partner
  from open
  where code_key = any(:tokens::text[]) or reference_key = any(:tokens::text[]) or supplier_key = any(:tokens::text[])
    or id = any(:ids::uuid[]) or id in (select document_id from parts)
    or (abs(outstanding) = any(:amounts::numeric[]) and of_amount <= :most::integer)
    or (iban = any(:ibans::text[]) and of_partner <= :most::integer)`;

/** Payments without a line; a few of several equal ones on a day are enough. */
const PAYMENTS_SQL = `
  with free as (
    select p.id, p.direction, p.moved as amount, p.currency, p.date, p.reference, p.partner_id, p.bank_account_id,
      row_number() over (partition by p.direction, p.moved, p.date order by p.id) as of_day
    from (select *, case direction when 'in' then amount - fees else amount + fees end as moved from payments) p
    where p.moved = any(:amounts::numeric[]) and p.payment_method <> 'cash' and p.direction in ('in', 'out')
      and p.date between :from::date - :days::integer and :to::date + :days::integer
      and not exists (select from bank_line_payments l where l.payment_id = p.id)
  )
  select f.id, f.direction, f.amount::text, f.currency, f.date, f.reference, f.bank_account_id as "bankAccountId",
    json_build_object('id', p.id, 'name', p.name, 'iban', p.iban) as partner
  from free f join partners p on p.id = f.partner_id where f.of_day <= 5`;

type Line = { readonly id: string; readonly bankAccountId: string } & SuggestedLine;
type FoundPayment = OpenPayment & {
  readonly direction: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly bankAccountId: string | null;
};
/** Lines show amounts in the currency of their account alone. */
type FoundInvoice = OpenInvoice & { readonly currency: string };

/** Finds the suggestions for each line, by its id, best first. */
export async function findSuggestions(reader: Reader, lines: readonly Line[]): Promise<Map<string, Suggestion[]>> {
  if (lines.length === 0) return new Map();
  const wanted = lines.map((line) => ({ line, tokens: lineTokens(line), amount: itemAmount(line.amount) }));
  const amounts = [...new Set(wanted.map(({ amount }) => amount))];
  const tokens = [...new Set(wanted.flatMap((one) => one.tokens))];
  const days = lines.map(({ date }) => date).sort();
  const [from, to] = [days[0] as string, days.at(-1) as string];
  const invoices = await query<FoundInvoice>(reader, INVOICES_SQL, {
    tokens,
    ids: tokens.filter((token) => COMPACT_ID.test(token)),
    amounts,
    ibans: [...new Set(lines.flatMap(({ counterpartyIban }) => counterpartyIban ?? []))],
    most: MAX_CANDIDATES,
  });
  const payments = await query<FoundPayment>(reader, PAYMENTS_SQL, { amounts, from, to, days: MAX_DAYS_APART });
  const accounts = [...new Set(lines.map(({ bankAccountId }) => bankAccountId))];
  const orders = await findOpenOrders(reader, { accounts, amounts, from, to });
  const currencies = await accountCurrencies(reader);
  const rules = new RuleBook(await activeRules(reader));
  const returned = new Set(wanted.filter(({ line }) => looksLikeReturn(line)));
  const paid = new PaidBook(
    returned.size === 0
      ? []
      : await findReturnCandidates(reader, {
          amounts: [...new Set([...returned].map(({ amount }) => amount))],
          tokens: [...new Set([...returned].flatMap((one) => one.tokens))],
          from,
          to,
        }),
  );
  const invoicesBy = indexBy(
    invoices,
    ({ id, code, reference, supplierReference, outstanding, instalments, partner }) => [
      ...[code, reference, supplierReference].flatMap((name) => (name === null ? [] : name.trim().toLowerCase())),
      compact(id),
      ...[outstanding, ...(instalments ?? []).map((one) => one.outstanding)].map((amount) => `= ${itemAmount(amount)}`),
      `@ ${partner.iban}`,
    ],
  );
  const paymentsBy = indexBy(payments, ({ direction, amount }) => [`${direction} ${itemAmount(amount)}`]);
  const ordersBy = indexBy(orders, ({ kind, total, bankAccountId }) => [
    `${bankAccountId} ${kind === 'direct_debits' ? 'in' : 'out'} ${itemAmount(total)}`,
  ]);
  return new Map(
    wanted.map((one) => {
      const { line, tokens: words, amount } = one;
      const direction = line.amount.startsWith('-') ? 'out' : 'in';
      const isSame = ({ currency }: { readonly currency: string }) => currency === currencies.get(line.bankAccountId);
      const keys = [...words, `= ${amount}`];
      if (line.counterpartyIban !== null) keys.push(`@ ${line.counterpartyIban}`);
      const open = {
        invoices: [...new Set(keys.flatMap((key) => invoicesBy.get(key) ?? []))].filter(isSame),
        payments: (paymentsBy.get(`${direction} ${amount}`) ?? []).filter(
          (payment) => isSame(payment) && fits(payment, line),
        ),
        paid: returned.has(one) ? paid.candidates(line) : [],
        orders: ordersBy.get(`${line.bankAccountId} ${direction} ${amount}`) ?? [],
        rule: rules.ruleFor(line),
      };
      return [line.id, suggest(line, open)];
    }),
  );
}

function itemAmount(amount: Decimal): Decimal {
  return decimal(amount).abs().toFixed();
}

function fits({ date, bankAccountId }: FoundPayment, line: Line): boolean {
  const daysApart = Math.abs(Date.parse(date) - Date.parse(line.date)) / 86_400_000;
  return daysApart <= MAX_DAYS_APART && (bankAccountId ?? line.bankAccountId) === line.bankAccountId;
}
