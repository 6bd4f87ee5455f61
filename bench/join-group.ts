/** Makes the company of a stage the parent of another one, with which it has traded. */
import { createClient } from '../test/helpers/client.ts';
import type { Stage } from './stage.ts';

/** Each so manieth partner is the other company, as far as the books are concerned. */
const EACH = 10;

/** Founds a subsidiary, which agrees, marks partners, and makes invoices of their entries. @param joinedOn first day of the group */
export async function joinGroup({ client, address, token, tenantId, fill }: Stage, joinedOn: string): Promise<void> {
  const company = { name: 'Branch SL', taxId: 'B24680241', country: 'ES' };
  const companyId: string = (await client.post('/api/tenants', company)).body.data.id;
  const branch = createClient(address, token, companyId);
  const answers = [
    await branch.post('/api/parent-companies', { companyId: tenantId, name: 'Bench SL' }),
    await client.post('/api/group-companies', { companyId, name: 'Branch SL', joinedOn }),
  ];
  for (const { status, body } of answers) {
    if (status !== 201) throw new Error(`The group was answered ${status}: ${JSON.stringify(body)}`);
  }
  await fill(
    `update partners p set company_id = $1 from (select id, row_number() over (order by id) as nth from partners where tenant_id = $2) n
     where n.id = p.id and n.nth % ${EACH} = 0`,
    [companyId, tenantId],
  );
  const series = async (type: string): Promise<string> =>
    (await client.get(`/api/series?docType=${type}&rectifying=false&isDefault=true`)).body.data[0].id;
  await fill(invoices(tenantId, await series('SINV'), await series('PINV')));
  await fill('vacuum (analyze) documents, journal_entries');
}

/**
 * An invoice for each entry with such a partner, so that income and expense are found by the invoices, as in books that the service has
 * made. Disables triggers: posted entries stay as they are.
 */
const invoices = (tenant: string, sales: string, purchases: string) => `
  set session_replication_role = replica; set work_mem = '256MB';
  create temp table traded as
    select gen_random_uuid() as id, e.id as entry_id, e.date, e.period_id, e.total, l.partner_id, l.debit > 0 as sale,
      row_number() over (partition by l.debit > 0 order by e.date, e.id) as number
    from partners p join journal_lines l on l.partner_id = p.id join journal_entries e on e.id = l.entry_id
    where p.tenant_id = '${tenant}' and p.company_id is not null;
  insert into documents (id, tenant_id, doc_type, series_id, period_id, number, code, status, payment_status, partner_id, date, due_date,
      vat_regime, currency, subtotal, discount_total, tax_total, total, posted_at, created_at, updated_at)
    select id, '${tenant}', case when sale then 'SINV' else 'PINV' end, case when sale then '${sales}' else '${purchases}' end::uuid,
      period_id, number, 'G' || number, 'O', 'pending', partner_id, date, date + 30, 'general', 'EUR',
      total - round(total * 21 / 121, 2), 0, round(total * 21 / 121, 2), total, date, date, date
    from traded;
  update journal_entries e set source_type = case when sale then 'sales_invoice' else 'purchase_invoice' end, source_id = t.id
    from traded t where e.id = t.entry_id`;
