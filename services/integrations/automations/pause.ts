/** Pauses rules on the service's own initiative, and ends their runs. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { patchRow } from '../../../db/write.ts';
import { shortened } from '../../../domain/shorten.ts';
import { alertAdmins, type Notice } from '../../messages/notifications/notify.ts';
import { clockEvents } from './clock/schedule-state.ts';
import { cancelRuns } from './run-store.ts';

/** Reason for pausing a rule, in both languages. */
export interface PauseReason {
  readonly en: string;
  readonly es: string;
}

export const TOO_MANY: PauseReason = {
  en: 'It ran 60 times within a minute',
  es: 'Se ha ejecutado 60 veces en un minuto',
};
export const TOO_MANY_OF_ALL: PauseReason = {
  en: "The company's automations ran 600 times within a minute",
  es: 'Las automatizaciones de la empresa se han ejecutado 600 veces en un minuto',
};
export const NOT_ALLOWED: PauseReason = {
  en: 'Whoever it acts for may no longer do what it does, or has left the company',
  es: 'Quien la creó ya no puede hacer lo que hace, o ha dejado la empresa',
};

/** Pauses a rule that is active, ends its runs, and tells its owner and the administrators. */
export async function pauseAutomation(trx: Db, ctx: Context, id: string, reason: PauseReason): Promise<void> {
  await pauseAutomations(trx, ctx, [id], reason);
}

/** Pauses several rules for one reason, with a single notification. */
export async function pauseAutomations(
  trx: Db,
  ctx: Context,
  ids: readonly string[],
  reason: PauseReason,
): Promise<void> {
  const rules = (await Automation.query(trx)
    .whereIn('id', [...ids])
    .where({ status: 'active' })
    .orderBy('id')
    .forNoKeyUpdate()) as Automation[];
  const [first] = rules;
  if (first === undefined) return;
  const values = { status: 'paused', pauseReason: shortened(reason.en, 500) } as const;
  for (const rule of rules) {
    await patchRow(trx, ctx, Automation, rule, values, (paused) => clockEvents(rule, paused));
  }
  const paused = rules.map(({ id }) => id);
  await cancelRuns(trx, ctx, paused, reason.en);
  const owners = rules.flatMap(({ runsAs }) => runsAs ?? []);
  await alertAdmins(trx, ctx, rules.length === 1 ? pauseNotice(first, reason) : pauseNoticeOfSeveral(rules, reason), [
    ...new Set(owners),
  ]);
}

function pauseNotice({ id, name }: Automation, { en, es }: PauseReason): Notice {
  const path = `/api/automations/${id}`;
  return {
    title: `The automation ${name} is paused`,
    body: `${en}. Look at it, then enable it by POST ${path}/enable.`,
    actionLabel: 'Show',
    es: {
      title: `La automatización ${name} está en pausa`,
      body: `${es}. Revísela y actívela con POST ${path}/enable.`,
      actionLabel: 'Ver',
    },
    metadata: { automation_id: id },
    actionUrl: path,
  };
}

/** Maximum rules that a notification names. */
const MAX_NAMED = 5;

function pauseNoticeOfSeveral(rules: readonly Automation[], { en, es }: PauseReason): Notice {
  const names = rules.slice(0, MAX_NAMED).map(({ name }) => shortened(name, 100));
  const named = names.join(', ') + (rules.length > MAX_NAMED ? ' …' : '');
  return {
    title: `${rules.length} automations are paused`,
    body: `${en}: ${named}. Look at them, then enable each by POST /api/automations/:id/enable.`,
    actionLabel: 'Show',
    es: {
      title: `${rules.length} automatizaciones están en pausa`,
      body: `${es}: ${named}. Revíselas y active cada una con POST /api/automations/:id/enable.`,
      actionLabel: 'Ver',
    },
    actionUrl: '/api/automations?status=paused',
  };
}
