/** Holds mails: they are entered as failed, from where a person may send them again. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { giveUpMail } from '../../messages/mail/deliver.ts';
import type { MailHandlers } from '../../messages/mail/handlers.ts';
import { type Count, heldReason, type Restored, restoreContext } from './restored.ts';

const QUEUED = `
  select tenant_id as "tenantId", id from emails where status = 'queued' and id > :after::uuid
    and (:only::uuid is null or tenant_id = :only::uuid) order by id limit 500`;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Gives up the mails that waited. Nobody is told of each: the to-do counts them. */
export async function holdMails(
  database: Database,
  kinds: MailHandlers,
  restored: Restored,
  count: Count,
): Promise<void> {
  for (let after = FIRST; ; ) {
    const page = await database.withSystem((trx) =>
      query<{ tenantId: string; id: string }>(trx, QUEUED, { after, only: restored.only ?? null }),
    );
    for (const { tenantId, id } of page) {
      const ctx = restoreContext(tenantId, restored.now);
      const { outcome } = await giveUpMail({ database, kinds }, ctx, id, heldReason(restored).en, { tells: false });
      if (outcome === 'failed') count(tenantId, { mails: 1 });
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
