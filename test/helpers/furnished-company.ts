/** Records that do not move goods or money: webhooks, rules, custom fields, comments. */
import { Comment } from '../../db/models/records/comments.ts';
import { CustomField } from '../../db/models/records/custom-fields.ts';
import { insertRow } from '../../db/write.ts';
import { createAutomation } from '../../services/integrations/automations/manage.ts';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { customFields } from '../../services/records/master-data/custom-fields.ts';
import { createOne } from '../../services/records/resources/rows.ts';
import type { TestCompany } from './company.ts';
import { LOCAL_TARGETS } from './targets.ts';
import { ENCRYPTION_KEY } from './worker.ts';

const POLICY = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };

/** Adds a webhook, a rule, a custom field with its index, and a comment. */
export async function furnish({ run, ctx, itemId }: TestCompany): Promise<void> {
  await run(async (trx) => {
    await createWebhook(trx, ctx, POLICY, {
      name: 'Orders',
      url: 'https://example.com/hook',
      events: ['document.created'],
    });
    await createAutomation(trx, ctx, POLICY, {
      name: 'Notes',
      trigger: { type: 'document.created' },
      actions: [{ type: 'document.update_field', field: 'internalNotes', value: 'seen' }],
    });
    const field = { table_name: 'Item', field_name: 'origin', label: 'Origin', type: 'TEXT', filterable: true };
    const { id } = await createOne(customFields, { trx, ctx, role: 'owner' }, field);
    const { storageKey } = await CustomField.query(trx).findById(String(id)).throwIfNotFound();
    await trx('items')
      .where({ id: itemId })
      .update({ custom: JSON.stringify({ [storageKey]: 'Valencia' }) });
    const about = { entityType: 'Item', entityId: itemId, body: 'Sweet', mentions: [] };
    await insertRow(trx, ctx, Comment, { ...about, userId: null, actor: ctx.actor });
  });
}
