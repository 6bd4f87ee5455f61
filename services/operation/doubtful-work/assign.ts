/** Tells the owners of a company that its data were restored, with what they must look at, as a to-do. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { findRecipients } from '../../messages/notifications/recipients.ts';
import { assignToDo } from '../../messages/to-dos/to-dos.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { type Held, type Restored, restoredTime } from './restored.ts';

/** Gives the to-do, unless they have it or nobody owns the company. */
export async function assignRestoreToDo(
  database: Database,
  ctx: Context,
  restored: Restored,
  held: Held,
): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    const { locale } = await loadSettings(trx, 'format');
    const words = locale.startsWith('es') ? inSpanish(restored, held) : inEnglish(restored, held);
    const [given] = await query(trx, 'select 1 from to_dos where title = :title limit 1', { title: words.title });
    if (given !== undefined) return;
    if ((await findRecipients(trx, { roles: ['owner'], userIds: [] })).length === 0) return;
    const none = { user_id: null, due_at: null, document_id: null };
    await assignToDo(trx, ctx, { kind: 'to_do', role: 'owner', ...words, ...none });
  });
}

interface Words {
  readonly title: string;
  readonly body: string;
}

/** A kind of held work, with the place where it is listed. */
type Place = readonly [keyof Held, string];

function inEnglish(restored: Restored, held: Held): Words {
  const time = restoredTime(restored);
  const places: readonly Place[] = [
    ['mails', 'mails: GET /api/emails?status=failed'],
    ['deliveries', 'deliveries to webhooks: the log of each webhook'],
    ['runs', 'runs of automations: the log of each automation'],
    ['automations', 'automations are paused: GET /api/automations?status=paused'],
    ['tasks', 'tasks: GET /api/tasks?status=failed'],
    ['submissions', 'invoices for FACe: GET /api/face/submissions'],
  ];
  return {
    title: `Compare: the data are those of ${time}`,
    body: [
      `The data were restored from a backup. What was entered after ${time} is missing: enter it again, first the invoices, whose ` +
        'numbers would be given twice, and the payments. Compare orders to the bank before you send others.',
      ...listed(
        'What was under way then may have been done since. It was ended; repeat it where it was not:',
        places,
        held,
      ),
    ].join('\n'),
  };
}

function inSpanish(restored: Restored, held: Held): Words {
  const time = restoredTime(restored);
  const places: readonly Place[] = [
    ['mails', 'correos: GET /api/emails?status=failed'],
    ['deliveries', 'entregas a webhooks: el registro de cada webhook'],
    ['runs', 'ejecuciones de automatizaciones: el registro de cada una'],
    ['automations', 'automatizaciones en pausa: GET /api/automations?status=paused'],
    ['tasks', 'tareas: GET /api/tasks?status=failed'],
    ['submissions', 'facturas para FACe: GET /api/face/submissions'],
  ];
  return {
    title: `Compare: los datos son los de las ${time}`,
    body: [
      `Los datos se han restaurado de una copia de seguridad. Falta lo introducido después de las ${time}: introdúzcalo de nuevo, ` +
        'primero las facturas, cuyos números se darían dos veces, y los pagos. Compare las órdenes al banco antes de enviar otras.',
      ...listed(
        'Lo que estaba en curso puede que ya se hiciera. Se ha terminado; repítalo donde no se hizo:',
        places,
        held,
      ),
    ].join('\n'),
  };
}

function listed(intro: string, places: readonly Place[], held: Held): string[] {
  const lines = places.filter(([name]) => held[name] > 0).map(([name, place]) => `- ${held[name]} ${place}`);
  return lines.length === 0 ? [] : [intro, ...lines];
}
