/** Makes the company of a stage the parent of another one, with which it has traded. */
import { createClient } from '../test/helpers/client.ts';
import type { Stage } from './stage.ts';

/** Each so manieth partner is the other company, as far as the books are concerned. */
const EACH = 10;

/** Founds a subsidiary, which agrees, and marks partners. @param joinedOn first day of the group */
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
}
