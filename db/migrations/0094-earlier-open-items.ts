import { perTenant } from './per-tenant.ts';

const ROLES = {
  in: ['receivable', 'billsReceivable', 'customerAdvances'],
  out: ['payable', 'payableServices', 'payableAssets', 'payableAssetsLongTerm', 'billsPayable', 'supplierAdvances'],
} as const;
const named = (side: keyof typeof ROLES) =>
  `a.id::text in (${ROLES[side].map((role) => `c.value->>'${role}AccountId'`).join(', ')})`;
/** Partners' accounts: as config/accounting names them, else by their code (PGC): customers 43 and 44, suppliers 40, 41, 173 and 523. */
const SIDE = `case when ${named('in')} then 'in' when ${named('out')} then 'out'
  when a.code ~ '^4[34]' then 'in' when a.code ~ '^(4[01]|173|523)' then 'out' end`;

/**
 * Lines of earlier manual entries become open items, unless they are reversed: what was entered to settle them stands beside them as
 * credit, to be set off.
 */
export const up = perTenant(`
  insert into open_items (id, tenant_id, entry_id, line_number, partner_id, account_id, direction, code, date, due_date, currency, total,
      created_at, updated_at)
    select gen_random_uuid(), l.tenant_id, l.entry_id, l.line_number, l.partner_id, l.account_id, ${SIDE},
      l.date || '/' || l.line_number, l.date, l.date, coalesce(s.value->>'currency', 'EUR'),
      case ${SIDE} when 'in' then l.debit - l.credit else l.credit - l.debit end, e.updated_at, e.updated_at
    from journal_entries e
    join journal_lines l on l.tenant_id = e.tenant_id and l.entry_id = e.id
    join accounts a on a.tenant_id = l.tenant_id and a.id = l.account_id
    left join settings c on c.tenant_id = e.tenant_id and c.name = 'accounting'
    left join settings s on s.tenant_id = e.tenant_id and s.name = 'company'
    where e.status = 'posted' and e.source_type is null and e.reversal_of is null and e.kind in ('normal', 'opening')
      and l.partner_id is not null and ${SIDE} is not null
      and not exists (select from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id)
  on conflict on constraint open_items_line do nothing
`);
